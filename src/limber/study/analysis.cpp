#include "limber/study/analysis.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "limber/core/error.h"

namespace limber::study {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string p_text(double p) { return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p); }

std::string statistic_text(const Test& test) {
  if (test.error_freedom > 0) {
    return fmt::format("F({:g}, {:g}) = {:.2f}", test.freedom, test.error_freedom, test.statistic);
  }
  return fmt::format("χ²({:g}) = {:.2f}", test.freedom, test.statistic);
}

Json tests_json(const std::vector<Test>& tests) {
  Json list = Json::array();
  for (const Test& test : tests) {
    Json one{{"term", test.name}, {"statistic", number(test.statistic)}, {"freedom", test.freedom}};
    if (test.error_freedom > 0) one["error_freedom"] = test.error_freedom;
    one["p"] = test.p;
    if (test.corrected_p >= 0) one["greenhouse_geisser_p"] = test.corrected_p;
    list.push_back(one);
  }
  return list;
}

std::string tests_table(const std::string& title, const std::vector<Test>& tests) {
  if (tests.empty()) return "";
  std::string text = "\n" + title + "\n\n| term | test | p |\n|---|---|---|\n";
  for (const Test& test : tests) {
    text += fmt::format("| {} | {} | {}{} |\n", test.name, statistic_text(test), p_text(test.p),
                        test.corrected_p >= 0
                            ? fmt::format(" (Greenhouse–Geisser {})", p_text(test.corrected_p))
                            : "");
  }
  return text;
}

}  // namespace

std::vector<int> complete_participants(const ExperimentAnswers& experiment) {
  const std::size_t all =
      combinations(experiment.conditions).size() * static_cast<std::size_t>(experiment.repeats);
  std::vector<std::size_t> given(static_cast<std::size_t>(experiment.participants), 0);
  for (const Answer& answer : experiment.answers)
    ++given[static_cast<std::size_t>(answer.participant)];
  std::vector<int> complete;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k] == all) complete.push_back(static_cast<int>(k));
  }
  return complete;
}

Analysis begin_analysis(const ExperimentAnswers& experiment) {
  if (experiment.answers.empty()) {
    throw Error("nobody has answered it", experiment.name, "wait for participants");
  }
  Analysis analysis;
  analysis.name = experiment.name;
  analysis.kind = experiment.kind;
  analysis.answers = static_cast<int>(experiment.answers.size());
  analysis.complete = static_cast<int>(complete_participants(experiment).size());
  std::set<int> people;
  for (const Answer& answer : experiment.answers) people.insert(answer.participant);
  analysis.participants = static_cast<int>(people.size());
  return analysis;
}

std::string cell_name(const std::vector<Factor>& factors, const std::vector<int>& levels) {
  std::string name;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    name += (name.empty() ? "" : ", ") + factors[f].levels[static_cast<std::size_t>(levels[f])];
  }
  return name;
}

Test test_of(const AnovaEffect& effect, std::string name) {
  return {std::move(name),    effect.F, effect.numerator,
          effect.denominator, effect.p, effect.numerator > 1 ? effect.corrected_p : -1};
}

Analysis analyse(const ExperimentAnswers& experiment) {
  switch (experiment.kind) {
    case ExperimentKind::rank:
      return analyse_ranks(experiment);
    case ExperimentKind::contacts:
      return analyse_contacts(experiment);
    default:
      return analyse_pairs(experiment);
  }
}

Json analysis_json(const Analysis& analysis) {
  Json json{{"experiment", analysis.name},
            {"kind", kind_names()[static_cast<std::size_t>(analysis.kind)]},
            {"participants", analysis.participants},
            {"complete", analysis.complete},
            {"answers", analysis.answers},
            {"model", analysis.model},
            {"reliable", analysis.reliable},
            {"log_likelihood", number(analysis.log_likelihood)}};
  if (analysis.spread >= 0) json["spread"] = number(analysis.spread);
  json["estimates"] = Json::array();
  for (const Estimate& one : analysis.estimates) {
    json["estimates"].push_back({{"name", one.name},
                                 {"value", number(one.value)},
                                 {"standard_error", number(one.error)},
                                 {"p", number(one.p)}});
  }
  json["likelihood_ratios"] = tests_json(analysis.terms);
  json["paper"] = {{"by_people", tests_json(analysis.paper)},
                   {"repeats_as_people", tests_json(analysis.paper_repeats)}};
  json["intervals"] = Json::array();
  for (const IntervalRow& row : analysis.intervals) {
    json["intervals"].push_back({{"name", row.name},
                                 {"value", number(row.value)},
                                 {"low", number(row.low)},
                                 {"high", number(row.high)},
                                 {"text", row.text}});
  }
  json["notes"] = analysis.notes;
  return json;
}

std::string analysis_page(const Analysis& analysis) {
  std::string text =
      fmt::format("## {}\n\n{} participants ({} complete), {} answers.\n\n![{}]({}.png)\n\n{}\n",
                  analysis.name, analysis.participants, analysis.complete, analysis.answers,
                  analysis.chart_title, analysis.name, analysis.model);
  if (!analysis.estimates.empty()) {
    text += "\n| | estimate | standard error | p |\n|---|---|---|---|\n";
    for (const Estimate& one : analysis.estimates) {
      text += fmt::format("| {} | {:.3f} | {:.3f} | {} |\n", one.name, one.value, one.error,
                          p_text(one.p));
    }
    if (analysis.spread >= 0) {
      text += fmt::format("\nParticipants differ by σ = {:.2f} (logit).\n", analysis.spread);
    }
  }
  text += tests_table("What each term adds (likelihood ratio):", analysis.terms);
  text += tests_table(analysis.kind == ExperimentKind::rank
                          ? "As in the paper, log-linear models of the ranks:"
                          : "As in the paper, analysis of variance within subjects, by people:",
                      analysis.paper);
  text +=
      tests_table("The same with repeats counted as people, as the paper printed it (too sure):",
                  analysis.paper_repeats);
  text += "\n| | | 95 % | |\n|---|---|---|---|\n";
  for (const IntervalRow& row : analysis.intervals) {
    text += std::isfinite(row.low)
                ? fmt::format("| {} | {:.3f} | {:.3f} to {:.3f} | {} |\n", row.name, row.value,
                              row.low, row.high, row.text)
                : fmt::format("| {} | {} | | {} |\n", row.name,
                              std::isfinite(row.value) ? fmt::format("{:.3f}", row.value) : "",
                              row.text);
  }
  for (const std::string& note : analysis.notes) text += "\n" + note + "\n";
  return text;
}

}  // namespace limber::study
