// Analysis of variance within subjects (repeated measures): everybody met every cell of a full
// factorial design. Each effect has its own error, its interaction with the subjects, so that the
// degrees of freedom are d and d (N − 1) for an effect of d.
//
// By orthonormal contrasts: an effect's scores of a subject are Cᵀy with C (cells×d); their mean
// makes the effect, their scatter the error.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace limber::study {

struct AnovaEffect {
  std::vector<int> factors;  ///< by number; empty: the grand mean against zero
  double numerator = 0;      ///< degrees of freedom
  double denominator = 0;
  double F = 0;
  double p = 1;
  /// Greenhouse & Geisser 1959: how far from sphericity, 1/d to 1, and p with it.
  double epsilon = 1;
  double corrected_p = 1;
};

/// `values` subjects×cells, cells counted with the last factor fastest; at least two subjects.
[[nodiscard]] std::vector<AnovaEffect> within_subjects_anova(const Eigen::MatrixXd& values,
                                                             const std::vector<int>& levels);

/// Orthonormal contrasts (Helmert's) of so many levels: levels×(levels − 1).
[[nodiscard]] Eigen::MatrixXd orthonormal_contrasts(int levels);

}  // namespace limber::study
