// All modes of a small body at once.
#pragma once

#include "limber/modes/eigen_solver.h"

namespace limber {

/// Solves L⁻¹ M L⁻ᵀ y = θ y with K + springs = L Lᵀ, θ = 1/λ: M may be singular (one-point mass).
class DenseEigen final : public EigenSolver {
 public:
  DenseEigen(const SparseMatrix& K, const SparseMatrix& m, const Eigen::MatrixXd& N);

  EigenPairs lowest(int count, const Progress& progress) override;
  [[nodiscard]] std::string name() const override { return "dense"; }
  [[nodiscard]] double factorize_seconds() const override { return 0; }

 private:
  EigenPairs all_;
};

}  // namespace limber
