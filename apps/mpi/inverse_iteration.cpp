#include "inverse_iteration.h"

#include <limits>
#include <random>

namespace limber {

namespace {

constexpr int kMostSteps = 100;
constexpr int kMostGradients = 200;
/// Of a start: each solve makes one or two digits, after two of them all vectors are smooth.
constexpr int kStartSteps = 2;
constexpr int kStartGradients = 3;

/// X ← (K + shift·M)⁻¹ M X and Rayleigh–Ritz.
class InverseStep {
 public:
  InverseStep(const Ranks& ranks, const DistributedSystem& system, PC multigrid,
              const Eigen::MatrixXd& kept_out)
      : ranks_(ranks), system_(system), kept_out_(kept_out) {
    petsc(MatCreateVecs(system.M.get(), nullptr, Mx_.put()));
    petsc(KSPCreate(ranks.comm(), ksp_.put()));
    petsc(KSPSetType(ksp_.get(), KSPCG));
    petsc(KSPSetPC(ksp_.get(), multigrid));
    petsc(KSPSetOperators(ksp_.get(), system.solved.get(), system.solved.get()));
    petsc(KSPSetNormType(ksp_.get(), KSP_NORM_UNPRECONDITIONED));
    petsc(KSPSetInitialGuessNonzero(ksp_.get(), PETSC_TRUE));
  }

  void solve_to(double tolerance, int most_gradients) {
    petsc(KSPSetTolerances(ksp_.get(), tolerance, PETSC_DEFAULT, PETSC_DEFAULT, most_gradients));
  }

  void advance(EigenPairs& pairs) {
    for (Eigen::Index k = 0; k < pairs.vectors.cols(); ++k) {
      const OwnedVec x = as_vec(system_, pairs.vectors.col(k));
      petsc(MatMult(system_.M.get(), x.get(), Mx_.get()));
      petsc(VecScale(Mx_.get(), pairs.eigenvalues[k] + system_.shift));  // so that x is the guess
      petsc(KSPSolve(ksp_.get(), Mx_.get(), x.get()));
      pairs.vectors.col(k) = as_rows(x.get());
    }
    pairs = pairs_in(std::move(pairs.vectors));
  }

  [[nodiscard]] EigenPairs pairs_in(Eigen::MatrixXd block) const {
    remove_span(ranks_, system_, kept_out_, block);
    return rayleigh_ritz(ranks_, system_, block);
  }

 private:
  const Ranks& ranks_;
  const DistributedSystem& system_;
  const Eigen::MatrixXd& kept_out_;
  Owned<KSP, KSPDestroy> ksp_;
  OwnedVec Mx_;
};

}  // namespace

Eigen::MatrixXd smooth_start(const Ranks& ranks, const DistributedSystem& system, PC multigrid,
                             const Eigen::MatrixXd& kept_out, const Eigen::MatrixXd& near,
                             int columns) {
  std::mt19937 random(static_cast<unsigned>(ranks.rank()));
  std::uniform_real_distribution<double> between(-1, 1);
  const auto next = [&] { return between(random); };
  InverseStep step(ranks, system, multigrid, kept_out);
  step.solve_to(0.1, kStartGradients);
  Eigen::MatrixXd block = Eigen::MatrixXd::NullaryExpr(kept_out.rows(), columns, next);
  block.leftCols(near.cols()) = near;
  EigenPairs pairs = step.pairs_in(std::move(block));
  for (int k = 0; k < kStartSteps; ++k) step.advance(pairs);
  return pairs.vectors;
}

EigenPairs inverse_iteration(const Ranks& ranks, const DistributedSystem& system, PC multigrid,
                             const Eigen::MatrixXd& kept_out, Eigen::MatrixXd block, int count,
                             double tolerance) {
  InverseStep step(ranks, system, multigrid, kept_out);
  step.solve_to(0.1 * tolerance, kMostGradients);
  EigenPairs pairs = step.pairs_in(std::move(block));
  EigenPairs best;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostSteps; ++k) {
    const EigenPairs lowest{pairs.eigenvalues.head(count), pairs.vectors.leftCols(count)};
    const double residual = max_residual(system, lowest);
    const bool falls = residual < 0.9 * least;
    if (residual < least) {
      best = lowest;
      least = residual;
    }
    if (residual <= tolerance || !falls) break;
    step.advance(pairs);
  }
  return best;
}

}  // namespace limber
