// Log-linear models of a table of counts, as in the analysis of García et al. 2010, experiment 3:
// fitted by iterative proportional fitting (Deming & Stephan 1940), compared by the likelihood
// ratio G² = 2 Σ n log(n / m).
#pragma once

#include <vector>

namespace limber::study {

struct CountTable {
  std::vector<int> levels;     ///< of each factor
  std::vector<double> counts;  ///< the last factor fastest
};

/// A margin that a model reproduces: numbers of factors, ascending.
using Margin = std::vector<int>;

/// Expected counts of the hierarchical model with these margins.
[[nodiscard]] std::vector<double> fitted_counts(const CountTable& table,
                                                const std::vector<Margin>& margins);

struct Association {
  double G2 = 0;
  double freedom = 0;
  double p = 1;
};

/// What leaving one term out costs, all other terms of as many factors staying in.
[[nodiscard]] Association partial_association(const CountTable& table, const Margin& term);

}  // namespace limber::study
