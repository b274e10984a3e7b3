#include "limber/core/solvers/cholesky.h"

#include "limber/core/error.h"
#include "limber/core/solvers/cholesky_backend.h"
#include "limber/core/solvers/ordering.h"

namespace limber {

Cholesky::Cholesky(const SparseMatrix& matrix, const Options& options) {
  SparseMatrix copy;
  if (!matrix.isCompressed()) copy = matrix;  // the backends read compressed arrays in place
  copy.makeCompressed();
  const SparseMatrix& A = matrix.isCompressed() ? matrix : copy;
  std::vector<int> order = nested_dissection(A, options.block_size);
  if (options.backend != Backend::simplicial) implementation_ = make_supernodal(A, order);
  if (!implementation_) {
    if (options.backend == Backend::supernodal) {
      throw Error("this build has no supernodal factorisation", "Cholesky",
                  "configure with -DLIMBER_CHOLMOD=ON");
    }
    implementation_ = make_simplicial(A, std::move(order));
  }
  implementation_->size = static_cast<int>(A.rows());
  refactor(A);
}

Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;

void Cholesky::refactor(const SparseMatrix& A) {
  if (!A.isCompressed()) {
    SparseMatrix compressed = A;
    compressed.makeCompressed();
    return refactor(compressed);
  }
  if (!implementation_->factor(A)) {
    throw Error("matrix is not positive definite",
                std::to_string(implementation_->size) + " unknowns",
                "fix at least three nodes that are not on one line", Error::Kind::work_failed);
  }
}

void Cholesky::solve_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  implementation_->solve_in_place(B);
}

Eigen::MatrixXd Cholesky::solve(const Eigen::Ref<const Eigen::MatrixXd>& B) const {
  Eigen::MatrixXd X = B;
  solve_in_place(X);
  return X;
}

int Cholesky::size() const { return implementation_->size; }
double Cholesky::factor_nonzeros() const { return implementation_->factor_nonzeros(); }
std::string Cholesky::backend_name() const { return implementation_->name(); }

Vector solve(const SparseMatrix& A, const Eigen::Ref<const Vector>& b) {
  return Cholesky(A).solve(b);
}

}  // namespace limber
