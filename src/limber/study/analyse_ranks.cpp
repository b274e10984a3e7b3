// Ranks (experiment 3): worths by Plackett and Luce and, as in the paper, log-linear models of how
// often what came where.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/study/analysis.h"
#include "limber/study/design.h"
#include "limber/study/log_linear.h"
#include "limber/study/plackett_luce.h"

namespace limber::study {

namespace {

/// Levels of conditions, then of what was compared.
std::vector<int> all_levels(const std::vector<int>& condition, const std::vector<int>& compared) {
  std::vector<int> levels = condition;
  levels.insert(levels.end(), compared.begin(), compared.end());
  return levels;
}

std::vector<Ranking> rankings_of(const ExperimentAnswers& experiment, const Design& design) {
  std::vector<Ranking> rankings;
  for (const Answer& answer : experiment.answers) {
    Ranking ranking{
        Eigen::MatrixXd(static_cast<Eigen::Index>(answer.ranking.size()), design.size()),
        answer.participant};
    for (std::size_t k = 0; k < answer.ranking.size(); ++k) {
      const auto& shown = answer.shown[static_cast<std::size_t>(answer.ranking[k])];
      ranking.X.row(static_cast<Eigen::Index>(k)) = design.row(all_levels(answer.condition, shown));
    }
    rankings.push_back(std::move(ranking));
  }
  return rankings;
}

/// rank × conditions × compared.
CountTable table_of(const ExperimentAnswers& experiment, const std::vector<Factor>& factors) {
  CountTable table;
  const std::size_t places = experiment.answers.front().ranking.size();
  table.levels.push_back(static_cast<int>(places));
  std::size_t cells = places;
  for (const Factor& factor : factors) {
    table.levels.push_back(static_cast<int>(factor.levels.size()));
    cells *= factor.levels.size();
  }
  table.counts.assign(cells, 0);
  for (const Answer& answer : experiment.answers) {
    for (std::size_t rank = 0; rank < answer.ranking.size(); ++rank) {
      const auto& shown = answer.shown[static_cast<std::size_t>(answer.ranking[rank])];
      std::size_t cell = rank;
      const std::vector<int> levels = all_levels(answer.condition, shown);
      for (std::size_t f = 0; f < factors.size(); ++f) {
        cell = cell * factors[f].levels.size() + static_cast<std::size_t>(levels[f]);
      }
      table.counts[cell] += 1;
    }
  }
  return table;
}

}  // namespace

Analysis analyse_ranks(const ExperimentAnswers& experiment) {
  Analysis analysis = begin_analysis(experiment);
  std::vector<Factor> factors = experiment.conditions;
  factors.insert(factors.end(), experiment.compare.begin(), experiment.compare.end());
  // A term of conditions alone is the same for all that is ranked: it decides nothing.
  const auto first_compared = static_cast<int>(experiment.conditions.size());
  std::vector<Term> terms;
  for (const Term& term : main_effects_and_pairs(static_cast<int>(factors.size()))) {
    if (term.back() >= first_compared) terms.push_back(term);
  }
  const Design design(factors, terms, false);
  const PlackettLuceFit fit =
      fit_plackett_luce(rankings_of(experiment, design), experiment.participants);
  analysis.model =
      "Worths by Plackett and Luce: the logarithm of the odds to be ranked above; standard errors "
      "and "
      "p let the ranks of one participant be alike (sandwich).";
  analysis.reliable = fit.converged && !fit.separated;
  analysis.log_likelihood = fit.log_likelihood;
  if (analysis.reliable) {
    analysis.estimates = design.estimates(fit.beta, fit.robust_covariance);
    analysis.terms = design.likelihood_ratios(fit.log_likelihood, [&](const Design& smaller) {
      if (smaller.size() == 0) {
        const auto places = static_cast<double>(experiment.answers.front().ranking.size());
        return -analysis.answers * std::lgamma(places + 1);
      }
      return fit_plackett_luce(rankings_of(experiment, smaller), experiment.participants)
          .log_likelihood;
    });
  } else {
    analysis.notes.push_back(
        "Something always won or always lost: the model has no finite estimate.");
  }

  analysis.chart_title = experiment.name + ": worth, 0 being the mean of what was ranked";
  analysis.chart_low = analysis.chart_high = 0;
  for (const std::vector<int>& condition : combinations(experiment.conditions)) {
    for (const std::vector<int>& compared : combinations(experiment.compare)) {
      const std::vector<int> levels = all_levels(condition, compared);
      double ranks = 0;
      int times = 0;
      for (const Answer& answer : experiment.answers) {
        for (std::size_t rank = 0; rank < answer.ranking.size(); ++rank) {
          const auto& shown = answer.shown[static_cast<std::size_t>(answer.ranking[rank])];
          if (answer.condition != condition || shown != compared) continue;
          ranks += static_cast<double>(rank) + 1;
          ++times;
        }
      }
      if (times == 0) continue;
      IntervalRow row{cell_name(factors, levels), NAN, NAN, NAN,
                      fmt::format("mean rank {:.2f}", ranks / times)};
      if (analysis.reliable) {
        const Prediction worth = predict(design.row(levels), fit.beta, fit.robust_covariance);
        row.value = worth.value;
        row.low = worth.value - kNormal95 * worth.error;
        row.high = worth.value + kNormal95 * worth.error;
        analysis.chart_low = std::min(analysis.chart_low, row.low);
        analysis.chart_high = std::max(analysis.chart_high, row.high);
      }
      analysis.intervals.push_back(row);
    }
  }

  const CountTable table = table_of(experiment, factors);
  for (const Term& term : terms) {
    Margin margin{0};
    for (const int factor : term) margin.push_back(factor + 1);
    const Association found = partial_association(table, margin);
    analysis.paper.push_back(
        {"rank × " + name_of(term, factors), found.G2, found.freedom, 0, found.p, -1});
  }
  analysis.notes.push_back(
      "The log-linear tests count every placed film as a person's answer, though each participant "
      "gives every rank once: they are the paper's, not ours.");
  return analysis;
}

}  // namespace limber::study
