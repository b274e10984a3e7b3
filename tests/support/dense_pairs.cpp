#include "support/dense_pairs.h"

#include <Eigen/Eigenvalues>

namespace limber {

using Solver = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>;

DensePairs dense_pairs(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  const Solver solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector dense_eigenvalues(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  return Solver(K, M, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace limber
