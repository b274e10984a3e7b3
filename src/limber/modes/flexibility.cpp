#include "limber/modes/flexibility.h"

#include <Eigen/Cholesky>

#include "limber/core/solvers/dense_products.h"
#include "limber/modes/eigen_solver.h"
#include "limber/modes/rigid_motions.h"

namespace limber {

namespace {

SparseMatrix held(const SparseMatrix& K, const Eigen::MatrixXd& N) {
  SparseMatrix A = K;
  const double spring = K.diagonal().mean();
  for (const int unknown : holding_unknowns(N)) A.coeffRef(unknown, unknown) += spring;
  return A;
}

}  // namespace

Flexibility::Flexibility(const SparseMatrix& K, const SparseMatrix& m, const Eigen::MatrixXd& N)
    : N_(N),
      MN_(N.rows(), N.cols()),
      factor_(held(K, N), Cholesky::Options{Cholesky::Backend::automatic, 3}) {
  multiply_mass(m, N_, MN_);
  if (N_.cols() == 0) return;
  const Eigen::MatrixXd gram = N_.transpose() * MN_;
  const Eigen::LLT<Eigen::MatrixXd> llt(gram);
  llt.matrixU().solveInPlace<Eigen::OnTheRight>(N_);
  llt.matrixU().solveInPlace<Eigen::OnTheRight>(MN_);
}

void Flexibility::apply(Eigen::Ref<Eigen::MatrixXd> F) const {
  if (N_.cols() == 0) return factor_.solve_in_place(F);
  Eigen::MatrixXd along(N_.cols(), F.cols());
  multiply_transposed(N_, F, along);
  subtract_product(MN_, along, F);
  factor_.solve_in_place(F);
  multiply_transposed(MN_, F, along);
  subtract_product(N_, along, F);
}

}  // namespace limber
