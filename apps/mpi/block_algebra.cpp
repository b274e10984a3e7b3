#include "block_algebra.h"

#include <Eigen/Dense>
#include <algorithm>

namespace limber {

namespace {

/// XᵀY of all ranks' rows.
Eigen::MatrixXd inner_products(const Ranks& ranks, const Eigen::MatrixXd& X,
                               const Eigen::MatrixXd& Y) {
  Eigen::MatrixXd products = X.transpose() * Y;
  ranks.sum(products.data(), static_cast<int>(products.size()));
  return products;
}

}  // namespace

OwnedVec as_vec(const DistributedSystem& system, const Eigen::Ref<const Vector>& values) {
  OwnedVec vec;
  petsc(MatCreateVecs(system.K.get(), vec.put(), nullptr));
  PetscScalar* target = nullptr;
  petsc(VecGetArray(vec.get(), &target));
  std::copy_n(values.data(), values.size(), target);
  petsc(VecRestoreArray(vec.get(), &target));
  return vec;
}

Eigen::MatrixXd product(const DistributedSystem& system, Mat A, const Eigen::MatrixXd& X) {
  Eigen::MatrixXd AX(X.rows(), X.cols());
  OwnedVec column;
  petsc(MatCreateVecs(A, nullptr, column.put()));
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    petsc(MatMult(A, as_vec(system, X.col(k)).get(), column.get()));
    AX.col(k) = as_rows(column.get());
  }
  return AX;
}

EigenPairs rayleigh_ritz(const Ranks& ranks, const DistributedSystem& system,
                         const Eigen::MatrixXd& X) {
  const Eigen::MatrixXd projected_K =
      system.scale * inner_products(ranks, X, product(system, system.K.get(), X));
  const Eigen::MatrixXd projected_M =
      system.scale * inner_products(ranks, X, product(system, system.M.get(), X));
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(projected_K, projected_M);
  if (eigen.info() != Eigen::Success || !eigen.eigenvalues().allFinite()) {
    throw Error("the vectors of the search have become dependent", "the solver",
                "try --solver direct", Error::Kind::work_failed);
  }
  return {eigen.eigenvalues(), X * eigen.eigenvectors()};
}

void remove_span(const Ranks& ranks, const DistributedSystem& system, const Eigen::MatrixXd& Q,
                 Eigen::MatrixXd& X) {
  if (Q.cols() == 0) return;
  const Eigen::MatrixXd MQ = product(system, system.M.get(), Q);
  X -= Q * inner_products(ranks, MQ, Q).ldlt().solve(inner_products(ranks, MQ, X));
}

double max_residual(const DistributedSystem& system, const EigenPairs& pairs) {
  double largest = 0;
  OwnedVec Kx;
  OwnedVec Mx;
  petsc(MatCreateVecs(system.K.get(), Kx.put(), Mx.put()));
  for (Eigen::Index k = 0; k < pairs.vectors.cols(); ++k) {
    const OwnedVec x = as_vec(system, pairs.vectors.col(k));
    const double lambda = pairs.eigenvalues[k];
    petsc(MatMult(system.K.get(), x.get(), Kx.get()));
    petsc(MatMult(system.M.get(), x.get(), Mx.get()));
    petsc(VecAXPY(Kx.get(), -lambda, Mx.get()));
    PetscReal residual = 0;
    PetscReal size = 0;
    petsc(VecNorm(Kx.get(), NORM_2, &residual));
    petsc(VecNorm(Mx.get(), NORM_2, &size));
    largest = std::max(largest, residual / (lambda * size));
  }
  return largest;
}

}  // namespace limber
