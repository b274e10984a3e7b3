#include "limber/modes/eigen_solver.h"

#include <algorithm>

#include "limber/modes/block_lanczos.h"
#include "limber/modes/dense_eigen.h"

namespace limber {

namespace {
/// Below this many unknowns the dense solver takes milliseconds.
constexpr int kDenseUnknowns = 240;
/// A Krylov basis needs about this many vectors a mode; when that is most of the space, dense wins.
constexpr int kBasisPerMode = 3;
}  // namespace

std::unique_ptr<EigenSolver> make_eigen_solver(const SparseMatrix& K, const SparseMatrix& m,
                                               const Eigen::MatrixXd& N, int expected,
                                               const Progress& progress) {
  const Eigen::Index unknowns = K.rows();
  if (unknowns <= kDenseUnknowns || kBasisPerMode * expected >= unknowns) {
    return std::make_unique<DenseEigen>(K, m, N);
  }
  return std::make_unique<BlockLanczos>(K, m, N, expected, progress);
}

double max_residual(const SparseMatrix& K, const SparseMatrix& m, const EigenPairs& pairs) {
  Eigen::MatrixXd MX(pairs.vectors.rows(), pairs.vectors.cols());
  multiply_mass(m, pairs.vectors, MX);
  double largest = 0;
  for (Eigen::Index k = 0; k < pairs.vectors.cols(); ++k) {
    const double lambda = pairs.eigenvalues[k];
    const Vector residual = K * pairs.vectors.col(k) - lambda * MX.col(k);
    largest = std::max(largest, residual.norm() / (lambda * MX.col(k).norm()));
  }
  return largest;
}

void multiply_mass(const SparseMatrix& m, const Eigen::Ref<const Eigen::MatrixXd>& X,
                   Eigen::Ref<Eigen::MatrixXd> MX) {
  const int* const offsets = m.outerIndexPtr();
  const int* const rows = m.innerIndexPtr();
  const double* const values = m.valuePtr();
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    const double* const x = X.col(k).data();
    double* const y = MX.col(k).data();
    for (int node = 0; node < m.cols(); ++node) {  // m is symmetric: a column is a row
      double sum[3] = {0, 0, 0};
      for (int entry = offsets[node]; entry < offsets[node + 1]; ++entry) {
        const double* const other = x + 3 * rows[entry];
        for (int c = 0; c < 3; ++c) sum[c] += values[entry] * other[c];
      }
      std::copy_n(sum, 3, y + 3 * node);
    }
  }
}

}  // namespace limber
