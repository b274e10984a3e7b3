// Block inverse iteration, X ← (K + shift·M)⁻¹ M X and Rayleigh–Ritz, each solve by conjugate
// gradients with multigrid: what LOBPCG begins from, and what goes on where it must end. Its small
// problems span all from the lowest mode to the mesh's highest, and where materials are a factor
// 10⁴ apart that breaks them down at once from random vectors, and later keeps the last digits. A
// solve errs by ε‖K‖‖x‖ alone, as a factor does.
#pragma once

#include "block_algebra.h"

namespace limber {

/// `columns` vectors without the mesh's high modes, from those that are `near` the lowest ones
/// already and random ones. `kept_out`: columns to stay M-orthogonal to; `multigrid`:
/// preconditioner of system.solved.
[[nodiscard]] Eigen::MatrixXd smooth_start(const Ranks& ranks, const DistributedSystem& system,
                                           PC multigrid, const Eigen::MatrixXd& kept_out,
                                           const Eigen::MatrixXd& near, int columns);

/// The lowest `count` pairs from a block of at least as many columns near them. Ends at a residual
/// of `tolerance`, or when it falls no longer.
[[nodiscard]] EigenPairs inverse_iteration(const Ranks& ranks, const DistributedSystem& system,
                                           PC multigrid, const Eigen::MatrixXd& kept_out,
                                           Eigen::MatrixXd block, int count, double tolerance);

}  // namespace limber
