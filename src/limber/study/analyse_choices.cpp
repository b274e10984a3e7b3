// Pairs (experiments 1 and 2) and collisions seen (experiment 4): shares by a mixed logistic model
// and, as in the paper, by an analysis of variance within subjects.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "limber/core/error.h"
#include "limber/study/analysis.h"
#include "limber/study/design.h"
#include "limber/study/distributions.h"
#include "limber/study/mixed_logistic.h"

namespace limber::study {

namespace {

/// Successes of so many, one person's in one cell.
struct Count {
  int participant = 0;
  std::vector<int> levels;
  double successes = 0, trials = 0;
};

LogisticData data_of(const std::vector<Count>& counts, const Design& design) {
  LogisticData data;
  std::map<int, int> group;
  for (const Count& count : counts) group.emplace(count.participant, 0);
  for (auto& [participant, number] : group) number = data.groups++;
  const auto rows = static_cast<Eigen::Index>(counts.size());
  data.X.resize(rows, design.size());
  data.successes.resize(rows);
  data.trials.resize(rows);
  for (Eigen::Index r = 0; r < rows; ++r) {
    const Count& count = counts[static_cast<std::size_t>(r)];
    data.X.row(r) = design.row(count.levels);
    data.successes[r] = count.successes;
    data.trials[r] = count.trials;
    data.group.push_back(group.at(count.participant));
  }
  return data;
}

double share_of(double logit) { return 1 / (1 + std::exp(-logit)); }

IntervalRow interval(std::string name, const Prediction& prediction, std::string text) {
  return {std::move(name), share_of(prediction.value),
          share_of(prediction.value - kNormal95 * prediction.error),
          share_of(prediction.value + kNormal95 * prediction.error), std::move(text)};
}

/// Fit, estimates and likelihood ratios.
LogisticFit fit_into(Analysis& analysis, const std::vector<Count>& counts, const Design& design) {
  const LogisticFit fit = fit_mixed_logistic(data_of(counts, design));
  analysis.reliable = fit.converged && !fit.separated;
  analysis.log_likelihood = fit.log_likelihood;
  analysis.spread = fit.sigma;
  if (!analysis.reliable) {
    analysis.notes.push_back(
        "Somebody or some condition always gave the same answer, or there are too few answers: the "
        "model has no finite estimate. See the counts and the paper's tests.");
    return fit;
  }
  analysis.estimates = design.estimates(fit.beta, fit.covariance);
  analysis.terms = design.likelihood_ratios(fit.log_likelihood, [&](const Design& smaller) {
    return fit_mixed_logistic(data_of(counts, smaller)).log_likelihood;
  });
  return fit;
}

/// People (or, with `repeats`, people times repeats) by cells of the conditions: mean of `value`
/// over the answers. Only who answered everything.
template <class Value>
Eigen::MatrixXd cell_means(const ExperimentAnswers& experiment, bool repeats, const Value& value) {
  const std::vector<int> people = complete_participants(experiment);
  const auto cells = combinations(experiment.conditions);
  const int rows_each = repeats ? experiment.repeats : 1;
  Eigen::MatrixXd means =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(people.size()) * rows_each,
                            static_cast<Eigen::Index>(cells.size()));
  for (const Answer& answer : experiment.answers) {
    const auto person = std::find(people.begin(), people.end(), answer.participant);
    if (person == people.end()) continue;
    const auto cell = std::find(cells.begin(), cells.end(), answer.condition) - cells.begin();
    const auto row = (person - people.begin()) * rows_each + (repeats ? answer.repeat : 0);
    means(row, cell) += value(answer) / (repeats ? 1 : experiment.repeats);
  }
  return means;
}

/// The paper's analysis of variance, by people and with repeats as people.
template <class Value, class Name>
void add_anovas(Analysis& analysis, const ExperimentAnswers& experiment, const Value& value,
                const Name& name) {
  std::vector<int> levels;
  for (const Factor& factor : experiment.conditions) {
    levels.push_back(static_cast<int>(factor.levels.size()));
  }
  for (const bool repeats : {false, true}) {
    if (repeats && experiment.repeats == 1) continue;
    const Eigen::MatrixXd means = cell_means(experiment, repeats, value);
    if (means.rows() < 2 || !means.allFinite()) {
      if (!repeats) {
        analysis.notes.push_back(
            "No analysis of variance: two participants with answers in every cell are needed.");
      }
      continue;
    }
    for (const AnovaEffect& effect : within_subjects_anova(means, levels)) {
      const std::string title = name(effect);
      if (title.empty()) continue;
      (repeats ? analysis.paper_repeats : analysis.paper).push_back(test_of(effect, title));
    }
  }
}

}  // namespace

Analysis analyse_pairs(const ExperimentAnswers& experiment) {
  Analysis analysis = begin_analysis(experiment);
  const Factor& model = experiment.compare.front();
  const std::string& wanted = model.levels[1];
  std::vector<Factor> factors = experiment.conditions;
  const auto place = static_cast<int>(factors.size());
  factors.push_back({"place of " + wanted, {"first", "second"}});
  std::vector<Count> counts;
  const auto chose = [](const Answer& answer) {
    return answer.shown[static_cast<std::size_t>(answer.choice)][0] == 1 ? 1.0 : 0.0;
  };
  for (const Answer& answer : experiment.answers) {
    Count count{answer.participant, answer.condition, chose(answer), 1};
    count.levels.push_back(answer.shown[0][0] == 1 ? 0 : 1);
    counts.push_back(count);
  }
  std::vector<Term> terms = main_effects_and_pairs(place);
  terms.push_back({place});
  const Design design(factors, terms, true);
  analysis.model = fmt::format(
      "Logit of choosing {} over {}; \"all\" is the preference over all conditions, with a random "
      "intercept for each participant.",
      wanted, model.levels[0]);
  const LogisticFit fit = fit_into(analysis, counts, design);

  analysis.chart_title = fmt::format("{}: share that chose {}", experiment.name, wanted);
  analysis.chart_reference = 0.5;
  const auto row_for = [&](const std::vector<int>* cell) {
    // Means over what is not asked for: half of the way between places, conditions if not given.
    Eigen::VectorXd row = Eigen::VectorXd::Zero(design.size());
    int rows = 0;
    for (const std::vector<int>& levels : combinations(factors)) {
      if (cell != nullptr && !std::equal(cell->begin(), cell->end(), levels.begin())) continue;
      row += design.row(levels);
      ++rows;
    }
    return Eigen::VectorXd(row / rows);
  };
  const auto add_interval = [&](const std::string& name, const std::vector<int>* cell) {
    int chosen = 0, all = 0;
    for (const Answer& answer : experiment.answers) {
      if (cell != nullptr && answer.condition != *cell) continue;
      chosen += static_cast<int>(chose(answer));
      ++all;
    }
    if (all == 0) return;
    const std::string text =
        fmt::format("{} of {}, sign test p = {:.3g}", chosen, all, sign_test(chosen, all));
    IntervalRow row{name, static_cast<double>(chosen) / all, NAN, NAN, text};
    if (analysis.reliable)
      row = interval(name, predict(row_for(cell), fit.beta, fit.covariance), text);
    analysis.intervals.push_back(row);
  };
  add_interval("all", nullptr);
  for (const std::vector<int>& cell : combinations(experiment.conditions)) {
    if (!cell.empty()) add_interval(cell_name(experiment.conditions, cell), &cell);
  }
  add_anovas(
      analysis, experiment, [&](const Answer& answer) { return chose(answer) - 0.5; },
      [&](const AnovaEffect& effect) {
        return effect.factors.empty()
                   ? model.name
                   : model.name + " × " + name_of(effect.factors, experiment.conditions);
      });
  analysis.notes.push_back(
      "Sign tests count every answer as a person's, as a share of all choices does; the mixed "
      "model "
      "does not.");
  return analysis;
}

Analysis analyse_contacts(const ExperimentAnswers& experiment) {
  Analysis analysis = begin_analysis(experiment);
  std::map<std::pair<int, std::vector<int>>, Count> cells;
  int alarms = 0;
  for (const Answer& answer : experiment.answers) {
    Count& count = cells[{answer.participant, answer.condition}];
    count.participant = answer.participant;
    count.levels = answer.condition;
    count.successes += answer.seen;
    count.trials += answer.contacts;
    alarms += answer.false_alarms;
  }
  std::vector<Count> counts;
  for (const auto& [key, count] : cells) {
    if (count.trials > 0) counts.push_back(count);
  }
  if (counts.empty()) throw Error("no film had a contact", experiment.name, "aim the cannon");
  const Design design(experiment.conditions,
                      main_effects_and_pairs(static_cast<int>(experiment.conditions.size())), true);
  analysis.model =
      "Logit of seeing a collision, each collision once, with a random intercept for each "
      "participant.";
  const LogisticFit fit = fit_into(analysis, counts, design);

  analysis.chart_title = experiment.name + ": share of collisions seen";
  analysis.chart_reference = 1;
  for (std::size_t f = 0; f < experiment.conditions.size(); ++f) {
    for (std::size_t level = 0; level < experiment.conditions[f].levels.size(); ++level) {
      double seen = 0, all = 0;
      Eigen::VectorXd row = Eigen::VectorXd::Zero(design.size());
      int rows = 0;
      for (const std::vector<int>& levels : combinations(experiment.conditions)) {
        if (levels[f] != static_cast<int>(level)) continue;
        row += design.row(levels);
        ++rows;
      }
      for (const Count& count : counts) {
        if (count.levels[f] != static_cast<int>(level)) continue;
        seen += count.successes;
        all += count.trials;
      }
      const std::string name =
          experiment.conditions[f].name + ": " + experiment.conditions[f].levels[level];
      IntervalRow line{name, all > 0 ? seen / all : NAN, NAN, NAN,
                       fmt::format("{} of {}", seen, all)};
      if (analysis.reliable)
        line = interval(name, predict(row / rows, fit.beta, fit.covariance), line.text);
      analysis.intervals.push_back(line);
    }
  }
  add_anovas(
      analysis, experiment,
      [](const Answer& answer) { return static_cast<double>(answer.seen) / answer.contacts; },
      [&](const AnovaEffect& effect) {
        return effect.factors.empty() ? std::string()
                                      : name_of(effect.factors, experiment.conditions);
      });
  analysis.notes.push_back(fmt::format("{} false alarms in {} films.", alarms, analysis.answers));
  return analysis;
}

}  // namespace limber::study
