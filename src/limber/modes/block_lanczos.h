// Shift-invert block Lanczos for the lowest modes of K φ = λ M φ.
//
// Symbols: A = K + springs (see holding_unknowns), B = A⁻¹ M the operator, θ = 1/λ its eigenvalues,
// Q (3n×k) the basis with Qᵀ M Q = I, T = Qᵀ M B Q (k×k), b vectors a block.
// Full reorthogonalisation against Q and the rigid motions N; the basis only grows, so
// asking for more modes goes on where it stopped. Several vectors a block because a solve with
// eight right-hand sides costs a quarter as much for each; and because repeated eigenvalues are
// then found without luck. Ritz vectors are purified, φ = x + r/θ (Ericsson & Ruhe 1980), which
// costs nothing and frees the residual from the stiffest part of the spectrum.
#pragma once

#include <optional>

#include "limber/modes/eigen_solver.h"
#include "limber/modes/flexibility.h"

namespace limber {

class BlockLanczos final : public EigenSolver {
 public:
  BlockLanczos(const SparseMatrix& K, const SparseMatrix& m, const Eigen::MatrixXd& N, int expected,
               const Progress& progress);

  EigenPairs lowest(int count, const Progress& progress) override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] double factorize_seconds() const override { return factorize_seconds_; }

 private:
  void start();
  void expand();
  /// How many of the leading Ritz pairs have converged; fills theta_ and ritz_.
  int converged_pairs();
  [[nodiscard]] EigenPairs ritz_pairs(int count) const;

  [[nodiscard]] const Cholesky& factor() const { return flexibility_->factor(); }
  /// M-orthonormal rigid motions, and M times them.
  [[nodiscard]] const Eigen::MatrixXd& N() const { return flexibility_->N(); }
  [[nodiscard]] const Eigen::MatrixXd& MN() const { return flexibility_->MN(); }

  void reserve(Eigen::Index columns);
  /// Removes Q's and N's directions from X; returns the coefficients along Q.
  Eigen::MatrixXd orthogonalise(Eigen::Ref<Eigen::MatrixXd> X);
  /// Makes X M-orthonormal and appends it to Q; returns R with X_before = X_after R.
  Eigen::MatrixXd append(Eigen::Ref<Eigen::MatrixXd> X);

  const SparseMatrix& m_;  // outlives the solver: both live inside one modal analysis
  std::optional<Flexibility> flexibility_;
  double factorize_seconds_ = 0;

  int block_;
  Eigen::Index size_ = 0;  // columns of Q in use; the last block has not been multiplied yet
  Eigen::MatrixXd Q_;
  Eigen::MatrixXd MQ_;
  Eigen::MatrixXd T_;          // size_−block_ square
  Eigen::MatrixXd remainder_;  // R of the last block: B Q = Q T + Q_last R E_lastᵀ
  Vector theta_;               // Ritz values, descending
  Eigen::MatrixXd ritz_;       // their coefficients
  bool exhausted_ = false;     // the basis spans everything reachable
};

}  // namespace limber
