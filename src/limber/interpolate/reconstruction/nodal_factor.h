// Cholesky factor of a scalar matrix over nodes, laid out for solving with three right-hand sides,
// the coordinates of a node, again and again.
//
// Symbols: A = P L Lᵀ Pᵀ (n×n), P the fill-reducing order. Columns of L with the same pattern are
// gathered into supernodes and kept as dense panels, so that a solve reads L once, in order, and
// each number of it serves the node's coordinates at once.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "limber/core/sparse.h"
#include "limber/core/types.h"

namespace limber {

class Cholesky;

class NodalFactor {
 public:
  /// Numbers a row: x, y, z and one for alignment.
  static constexpr int kRowSize = 4;

  /// A (n×n) symmetric positive definite. Throws Error (work_failed) when it is not.
  explicit NodalFactor(const SparseMatrix& A);
  ~NodalFactor();
  NodalFactor(NodalFactor&&) noexcept;
  NodalFactor& operator=(NodalFactor&&) noexcept;

  [[nodiscard]] int size() const { return static_cast<int>(order_.size()); }
  /// Unknown k of the solve is row order()[k] of A.
  [[nodiscard]] const std::vector<int>& order() const { return order_; }

  /// Overwrites B with A⁻¹ B: n rows of kRowSize numbers, unknowns in the order of order().
  /// Allocates nothing. Not for several threads at once on one factor.
  void solve_in_place(double* B) const;

  /// Columns first..first+width of L. Its values are the width×width diagonal block, row by row,
  /// with the reciprocals of its diagonal, then the rows×width block below.
  struct Supernode {
    int first;
    int width;
    int row_count;
    std::size_t row_begin;    ///< into `rows`
    std::size_t value_begin;  ///< into `values`
  };
  struct Panels {
    std::vector<Supernode> supernodes;
    std::vector<int> rows;
    std::vector<double> values;
  };

 private:
  void factor_small(const SparseMatrix& A);

  std::vector<int> order_;
  Panels panels_;
  // Beyond kLargestOwn unknowns the library's factorisation pays; its solves are as fast there.
  std::unique_ptr<Cholesky> large_;
  mutable Eigen::MatrixXd work_;
};

/// L Lᵀ X = B in place, n rows of NodalFactor::kRowSize numbers.
void solve_panels(const NodalFactor::Panels& panels, double* B);

}  // namespace limber
