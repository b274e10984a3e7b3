// The lowest modes of K φ = λ M φ, M = [m_ij I₃].
#pragma once

#include <memory>
#include <string>

#include "limber/core/progress.h"
#include "limber/core/sparse.h"
#include "limber/core/types.h"

namespace limber {

/// Ascending λ (rad²/s²) with Φᵀ M Φ = I, columns of `vectors` (3n×m).
struct EigenPairs {
  Vector eigenvalues;
  Eigen::MatrixXd vectors;
};

/// Finds modes in ascending order, more on demand; rigid motions are kept out.
class EigenSolver {
 public:
  virtual ~EigenSolver() = default;
  /// The lowest `count` elastic pairs. Asking again for more continues from what is known.
  /// Throws Error (work_failed) when they do not converge.
  virtual EigenPairs lowest(int count, const Progress& progress) = 0;
  /// For reports.
  [[nodiscard]] virtual std::string name() const = 0;
  /// Time spent factoring, once.
  [[nodiscard]] virtual double factorize_seconds() const = 0;
};

/// K (3n×3n), m (n×n) on the free nodes, N (3n×r) the rigid motions left free (K N = 0).
/// `expected` is about how many pairs will be asked for: large problems use shift-invert block
/// Lanczos, small ones or those that want most of the spectrum a dense solver.
[[nodiscard]] std::unique_ptr<EigenSolver> make_eigen_solver(const SparseMatrix& K,
                                                             const SparseMatrix& m,
                                                             const Eigen::MatrixXd& N, int expected,
                                                             const Progress& progress = {});

/// The largest ‖Kφ−λMφ‖ / (λ‖Mφ‖) of the pairs.
[[nodiscard]] double max_residual(const SparseMatrix& K, const SparseMatrix& m,
                                  const EigenPairs& pairs);

/// [m_ij I₃] X for X (3n×k).
void multiply_mass(const SparseMatrix& m, const Eigen::Ref<const Eigen::MatrixXd>& X,
                   Eigen::Ref<Eigen::MatrixXd> MX);

}  // namespace limber
