// The lowest modes of K φ = λ M φ.
#pragma once

#include <string>

#include "limber/core/progress.h"
#include "limber/core/sparse.h"
#include "limber/core/types.h"

namespace limber {

/// What an eigen solver found: `count` pairs with ascending λ, Φᵀ M Φ = I.
struct EigenPairs {
  Vector eigenvalues;       // rad²/s²
  Eigen::MatrixXd vectors;  // 3n×m
  std::string solver;       // for reports: which method and factorisation
  double max_residual = 0;  // largest ‖Kφ−λMφ‖ / (λ‖Mφ‖)
  double factorize_seconds = 0;
  double solve_seconds = 0;
};

/// K (3n×3n) positive definite (fixed nodes taken out, or shifted), m (n×n) scalar mass.
/// Shift-invert block Lanczos about zero. Throws Error (work_failed) when it does not converge.
[[nodiscard]] EigenPairs lowest_eigenpairs(const SparseMatrix& K, const SparseMatrix& scalar_mass,
                                           int count, const Progress& progress = {});

}  // namespace limber
