#include "limber/modes/dense_eigen.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "limber/core/error.h"
#include "limber/fem/mass.h"
#include "limber/modes/rigid_motions.h"

namespace limber {

namespace {
/// 1/λ below this share of the largest is a motion without mass (singular M), not a mode.
constexpr double kNoMass = 1e-13;
}  // namespace

DenseEigen::DenseEigen(const SparseMatrix& K, const SparseMatrix& m, const Eigen::MatrixXd& N) {
  Eigen::MatrixXd A = K;
  const Eigen::MatrixXd M = expand(m);
  const double spring = A.diagonal().mean();
  for (const int unknown : holding_unknowns(N)) A(unknown, unknown) += spring;

  // Loads are put in balance with the rigid motions and answers freed of them: P = I − N Nᵀ M.
  Eigen::MatrixXd unit_N = N;
  if (N.cols() > 0) {
    const Eigen::MatrixXd gram = N.transpose() * M * N;
    gram.llt().matrixU().solveInPlace<Eigen::OnTheRight>(unit_N);
  }
  const Eigen::MatrixXd MN = M * unit_N;
  const Eigen::MatrixXd balanced = M - MN * MN.transpose();  // M P = Pᵀ M P

  const Eigen::LLT<Eigen::MatrixXd> llt(A);
  if (llt.info() != Eigen::Success) {
    throw Error("stiffness matrix is not positive definite", "dense eigenvalues",
                "check the mesh with `limber info`", Error::Kind::work_failed);
  }
  Eigen::MatrixXd C = llt.matrixL().solve(balanced);
  C = llt.matrixL().solve(C.transpose()).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen((C + C.transpose()) / 2);
  const Vector& theta = eigen.eigenvalues();  // ascending
  const Eigen::Index size = theta.size();
  const Eigen::Index count =
      std::min<Eigen::Index>((theta.array() > kNoMass * theta[size - 1]).count(), size - N.cols());

  all_.vectors = llt.matrixU().solve(eigen.eigenvectors().rightCols(count).rowwise().reverse());
  all_.vectors -= unit_N * (MN.transpose() * all_.vectors);
  all_.eigenvalues.resize(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Vector phi = all_.vectors.col(k);
    const double modal_mass = phi.dot(M * phi);
    all_.eigenvalues[k] = phi.dot(K * phi) / modal_mass;
    all_.vectors.col(k) /= std::sqrt(modal_mass);
  }
}

EigenPairs DenseEigen::lowest(int count, const Progress&) {
  if (count > all_.eigenvalues.size()) {
    throw Error(std::to_string(count) + " modes asked for, the body has " +
                    std::to_string(all_.eigenvalues.size()),
                "modes", "ask for fewer modes or use a finer mesh");
  }
  return {all_.eigenvalues.head(count), all_.vectors.leftCols(count)};
}

}  // namespace limber
