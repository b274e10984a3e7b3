// Nonlinear elasticity of some tets in a space of few amplitudes, F = I + Σ_j q_j ∇φ_j: what a
// reduced body resists by, with its tets and weights found by training.
//
// Tets stand in groups of eight, one a SIMD lane; all costs go with tets × modes, whatever the
// mesh. Symbols: q (r) amplitudes, φ_j displacement fields, g = ∂W/∂q (r), K = ∂²W/∂q² (r×r), F
// deformation gradient, P = ∂W/∂F stress.
#pragma once

#include <span>
#include <vector>

#include "limber/core/types.h"
#include "limber/material/elastic_law.h"

namespace limber {

/// One tet that counts.
struct ReducedTet {
  int tet = 0;
  double lambda = 0;  ///< times volume and weight, N·m
  double mu = 0;
};

class ReducedElements {
 public:
  /// `positions` (n×3) at rest, `modes` (3n×r).
  ReducedElements(const Eigen::Ref<const Positions>& positions, const Eigen::Ref<const Tets>& tets,
                  const Eigen::Ref<const ModeMatrix>& modes, std::span<const ReducedTet> chosen);

  [[nodiscard]] int mode_count() const { return modes_; }
  [[nodiscard]] int tet_count() const { return tet_count_; }

  /// W, J.
  [[nodiscard]] double energy(ElasticLaw law, const Vector& q) const;
  /// Writes g; returns W. Neither this nor stiffness() allocates.
  double forces(ElasticLaw law, const Vector& q, Vector& g) const;
  /// Writes K at q, symmetric; indefinite where the law is.
  void stiffness(ElasticLaw law, const Vector& q, Eigen::MatrixXd& K) const;
  /// P of every tet (rows, entry (i, j) at 3i+j).
  void stresses(ElasticLaw law, const Vector& q,
                Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, 9, Eigen::RowMajor>> P) const;
  /// ∂F/∂q_j of a tet, 9 numbers.
  [[nodiscard]] Eigen::Matrix<double, 9, 1> gradient(int tet, int mode) const;

 private:
  int modes_ = 0;
  int padded_modes_ = 0;  // to whole tiles
  int tet_count_ = 0;
  std::vector<double> storage_;          // aligned parts of it follow
  std::size_t gradients_ = 0;            // group by group 9 × modes × lanes
  std::size_t lame_ = 0;                 // group by group λ, μ × lanes
  mutable std::vector<double> scratch_;  // ∂P/∂q_j likewise, and sums
  std::size_t scratch_first_ = 0;
};

}  // namespace limber
