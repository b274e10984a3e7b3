// What a factorisation library must offer to stand behind Cholesky. Internal to core/solvers.
#pragma once

#include <memory>
#include <vector>

#include "limber/core/solvers/cholesky.h"

namespace limber {

struct Cholesky::Implementation {
  virtual ~Implementation() = default;
  /// Returns false when A is not positive definite.
  [[nodiscard]] virtual bool factor(const SparseMatrix& A) = 0;
  virtual void solve_in_place(Eigen::Ref<Eigen::MatrixXd> B) = 0;
  [[nodiscard]] virtual double factor_nonzeros() const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  int size = 0;
};

/// `order`: nested_dissection of A.
std::unique_ptr<Cholesky::Implementation> make_simplicial(const SparseMatrix& A,
                                                          std::vector<int> order);
/// Null where CHOLMOD is not linked.
std::unique_ptr<Cholesky::Implementation> make_supernodal(const SparseMatrix& A,
                                                          std::vector<int> order);

}  // namespace limber
