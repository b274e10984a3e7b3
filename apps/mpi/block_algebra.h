// Blocks of vectors over the free unknowns: matrices of which each rank holds its rows.
#pragma once

#include "limber/modes/eigen_solver.h"
#include "system.h"

namespace limber {

[[nodiscard]] OwnedVec as_vec(const DistributedSystem& system,
                              const Eigen::Ref<const Vector>& values);

/// A X for K or M of the system, as PETSc holds them: divided by `system.scale`.
[[nodiscard]] Eigen::MatrixXd product(const DistributedSystem& system, Mat A,
                                      const Eigen::MatrixXd& X);

/// The system's pairs in the span of X's columns, ascending; vectors M-orthonormal.
[[nodiscard]] EigenPairs rayleigh_ritz(const Ranks& ranks, const DistributedSystem& system,
                                       const Eigen::MatrixXd& X);

/// X without its part in the span of Q, which is M-orthogonal to what is left.
void remove_span(const Ranks& ranks, const DistributedSystem& system, const Eigen::MatrixXd& Q,
                 Eigen::MatrixXd& X);

/// Largest ‖Kφ−λMφ‖ / (λ‖Mφ‖), on all ranks.
[[nodiscard]] double max_residual(const DistributedSystem& system, const EigenPairs& pairs);

}  // namespace limber
