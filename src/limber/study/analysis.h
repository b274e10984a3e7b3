// What a study found: the statistics of García et al. 2010 with the degrees of freedom that they
// should have, and models that know that the answers of one person are alike.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "limber/study/answers.h"
#include "limber/study/within_subjects.h"

namespace limber::study {

struct Estimate {
  std::string name;
  double value = 0;  ///< logit, or difference of worths
  double error = 0;  ///< standard error
  double p = 1;      ///< Wald's, two-sided
};

/// One line of a test: "χ²(6) = 14.17" or "F(1, 13) = 59".
struct Test {
  std::string name;
  double statistic = 0;
  double freedom = 0;
  double error_freedom = 0;  ///< of F; 0: χ²
  double p = 1;
  double corrected_p =
      -1;  ///< Greenhouse & Geisser's, where there is more than one degree; −1: none
};

/// A share, worth or probability with its interval of 95 %.
struct IntervalRow {
  std::string name;
  double value = 0, low = 0, high = 0;
  std::string text;  ///< beside it, as in "43 of 60, p = 0.001"
};

struct Analysis {
  std::string name;
  ExperimentKind kind = ExperimentKind::film_pairs;
  int participants = 0;  ///< with an answer
  int complete = 0;      ///< with all answers
  int answers = 0;
  std::string model;     ///< what the estimates are of, a sentence
  bool reliable = true;  ///< the fit has converged and nothing ran off to infinity
  double log_likelihood = 0;
  double spread = -1;  ///< σ of the participants' intercepts; −1: the model has none
  std::vector<Estimate> estimates;
  std::vector<Test> terms;          ///< likelihood ratios
  std::vector<Test> paper;          ///< the paper's tests, by people
  std::vector<Test> paper_repeats;  ///< the same with repeats counted as people, as it was printed
  std::string chart_title;
  double chart_reference = 0;  ///< where there is no preference
  double chart_low = 0, chart_high = 1;
  std::vector<IntervalRow> intervals;
  std::vector<std::string> notes;
};

/// Throws Error when nobody answered.
[[nodiscard]] Analysis analyse(const ExperimentAnswers& experiment);
[[nodiscard]] Analysis analyse_pairs(const ExperimentAnswers& experiment);
[[nodiscard]] Analysis analyse_ranks(const ExperimentAnswers& experiment);
[[nodiscard]] Analysis analyse_contacts(const ExperimentAnswers& experiment);

[[nodiscard]] nlohmann::ordered_json analysis_json(const Analysis& analysis);
/// Markdown.
[[nodiscard]] std::string analysis_page(const Analysis& analysis);

/// Name, kind and counts; the beginning of each. Throws Error when nobody answered.
[[nodiscard]] Analysis begin_analysis(const ExperimentAnswers& experiment);
/// Who gave all answers of an experiment, by number.
[[nodiscard]] std::vector<int> complete_participants(const ExperimentAnswers& experiment);
/// As in "scenario: near-soft, camera: near".
[[nodiscard]] std::string cell_name(const std::vector<Factor>& factors,
                                    const std::vector<int>& levels);
[[nodiscard]] Test test_of(const AnovaEffect& effect, std::string name);

}  // namespace limber::study
