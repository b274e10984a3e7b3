// What a factorisation library must offer to stand behind Cholesky. Internal to core/solvers.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "limber/core/solvers/cholesky.h"

namespace limber {

/// Neighbouring columns of L with the same rows below them, as one dense block.
struct Supernode {
  int first_column = 0;
  int columns = 0;
  int rows = 0;  ///< those of the columns themselves come first
  const int* row_indices = nullptr;
  const double* values = nullptr;  ///< rows×columns, column-major; the upper triangle is undefined
  int stride = 0;
};

struct Cholesky::Implementation {
  virtual ~Implementation() = default;
  /// Returns false when A is not positive definite.
  [[nodiscard]] virtual bool factor(const SparseMatrix& A) = 0;
  virtual void solve_in_place(Eigen::Ref<Eigen::MatrixXd> B) = 0;
  [[nodiscard]] virtual double factor_nonzeros() const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  /// Entry k is the unknown that is eliminated k-th.
  [[nodiscard]] virtual std::vector<int> order() const = 0;
  /// All supernodes of L, columns ascending.
  virtual void visit(const std::function<void(const Supernode&)>& supernode) const = 0;
  int size = 0;
};

/// `order`: nested_dissection of A.
std::unique_ptr<Cholesky::Implementation> make_simplicial(const SparseMatrix& A,
                                                          std::vector<int> order);
/// Null where CHOLMOD is not linked.
std::unique_ptr<Cholesky::Implementation> make_supernodal(const SparseMatrix& A,
                                                          std::vector<int> order);

}  // namespace limber
