// The lowest modes of a distributed system, by SLEPc:
//
//   lobpcg  locally optimal block preconditioned conjugate gradients (Knyazev 2001) with smoothed
//           aggregation multigrid that knows the six rigid motions: memory and time grow with the
//           mesh, never a factor. For few modes of large bodies.
//   mumps   Krylov–Schur around a factor of K: faster where the factor fits, and the more so the
//           more modes are wanted.
#pragma once

#include <functional>

#include "limber/modes/eigen_solver.h"
#include "system.h"

namespace limber {

enum class SolverMethod { automatic, lobpcg, mumps };

/// Saves approximations now and then.
struct CheckpointPlan {
  double every_seconds = 0;  ///< 0: never
  std::function<void(const Eigen::MatrixXd& vectors)> save;
};

/// Vectors of pairs are this rank's rows (3·owned_free).
class SlepcSolver final : public EigenSolver {
 public:
  /// `system` must outlive this; N: this rank's rows of the rigid motions left free; positions of
  /// this rank's free nodes. `memory` in bytes is what all ranks may use together.
  SlepcSolver(const Ranks& ranks, const DistributedSystem& system, const Eigen::MatrixXd& N,
              const Positions& free_positions, SolverMethod method, double memory);

  EigenPairs lowest(int count, const Progress& progress) override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] double factorize_seconds() const override { return setup_seconds_; }

  /// Vectors to begin from (columns), as a checkpoint holds them.
  void start_from(Eigen::MatrixXd vectors) { start_ = std::move(vectors); }
  void save_checkpoints(CheckpointPlan plan) { checkpoints_ = std::move(plan); }
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  struct Watch;  // what SLEPc's callbacks see

  /// Pairs above those in locked_.
  EigenPairs next_pairs(int count, const Progress& progress);
  [[nodiscard]] SolverMethod choose(int count) const;
  void set_up(int count);
  void set_up_lobpcg(int count);
  void set_up_mumps();
  /// Makes start_ a whole block.
  void fill_start(int count);
  /// Solves from start_ and returns how many pairs converged; stops early for checkpoints.
  int solve(int count, double tolerance, const Progress& progress);
  [[nodiscard]] Eigen::MatrixXd basis_columns(int count) const;
  /// What rounding leaves of LOBPCG's residuals, rad²/s².
  [[nodiscard]] double lobpcg_noise() const;
  [[nodiscard]] PC preconditioner() const;
  [[nodiscard]] EigenPairs pairs(int count) const;

  const Ranks& ranks_;
  const DistributedSystem& system_;
  const Eigen::MatrixXd N_;
  std::int64_t unknowns_;
  SolverMethod wanted_;
  SolverMethod method_ = SolverMethod::automatic;
  double memory_;
  OwnedEps eps_;
  Eigen::MatrixXd locked_;  ///< modes found already, kept out of the search like rigid motions
  Eigen::MatrixXd start_;   ///< to begin from; columns as locked_ and what follows
  CheckpointPlan checkpoints_;
  double setup_seconds_ = 0;
  int iterations_ = 0;
  bool broke_down_ = false;  ///< whether LOBPCG's vectors became dependent
};

}  // namespace limber
