// K⁻¹ of a body, or of a free one what takes its place: under forces in balance with the rigid
// motions N the displacement that has no share of them (inertia relief).
//
//   K⁺ F = (I − N NᵀM) (K + springs)⁻¹ (I − MN Nᵀ) F,  NᵀMN = I
#pragma once

#include "limber/core/solvers/cholesky.h"
#include "limber/core/sparse.h"

namespace limber {

class Flexibility {
 public:
  /// K (3n×3n), m (n×n) on the free nodes, N (3n×r) the rigid motions left free. `m` must outlive
  /// this.
  Flexibility(const SparseMatrix& K, const SparseMatrix& m, const Eigen::MatrixXd& N);

  /// Overwrites F (3n×k) with K⁺ F.
  void apply(Eigen::Ref<Eigen::MatrixXd> F) const;
  [[nodiscard]] const Cholesky& factor() const { return factor_; }
  /// M-orthonormal rigid motions, and M times them.
  [[nodiscard]] const Eigen::MatrixXd& N() const { return N_; }
  [[nodiscard]] const Eigen::MatrixXd& MN() const { return MN_; }

 private:
  Eigen::MatrixXd N_, MN_;
  Cholesky factor_;
};

}  // namespace limber
