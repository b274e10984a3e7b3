#include "limber/modes/block_lanczos.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <random>

#include "limber/core/error.h"
#include "limber/core/solvers/blas_threads.h"
#include "limber/core/solvers/dense_products.h"
#include "limber/core/stopwatch.h"

namespace limber {

namespace {

/// ‖r‖_M / θ of a converged pair. The residual of the purified vector is this number; a tenth of
/// the 1e-8 that is promised.
constexpr double kTolerance = 1e-9;
/// Few modes converge sooner in narrow blocks, many cost less in wide ones.
constexpr int kManyModes = 40;
constexpr int kNarrowBlock = 4;
constexpr int kWideBlock = 8;
/// A new direction shorter than this share of what it was made from is rounding.
constexpr double kNothingNew = 1e-11;
/// The projected problem is solved again when the basis has grown by this factor.
constexpr double kCheckGrowth = 1.1;

}  // namespace

BlockLanczos::BlockLanczos(const SparseMatrix& K, const SparseMatrix& m, const Eigen::MatrixXd& N,
                           int expected, const Progress& progress)
    : m_(m), block_(expected > kManyModes ? kWideBlock : kNarrowBlock) {
  report(progress, "factorise", 0);
  Stopwatch stopwatch;
  flexibility_.emplace(K, m, N);
  factorize_seconds_ = stopwatch.lap();
  start();
}

std::string BlockLanczos::name() const {
  return "block-lanczos(" + std::to_string(block_) + ")+" + factor().backend_name();
}

void BlockLanczos::reserve(Eigen::Index columns) {
  if (columns <= Q_.cols()) return;
  const Eigen::Index capacity = std::max(columns, 2 * Q_.cols());
  Q_.conservativeResize(m_.rows() * 3, capacity);
  MQ_.conservativeResize(m_.rows() * 3, capacity);
}

void BlockLanczos::start() {
  Q_.resize(3 * m_.rows(), 0);
  MQ_.resize(3 * m_.rows(), 0);
  std::mt19937 random(1);  // fixed: the same body gives the same modes
  std::normal_distribution<double> normal;
  Eigen::MatrixXd X(3 * m_.rows(), block_);
  for (double& value : X.reshaped()) value = normal(random);
  Eigen::MatrixXd MX(X.rows(), block_);
  multiply_mass(m_, X, MX);
  subtract_product(MN(), N().transpose() * MX, MX);  // in balance with the rigid motions
  factor().solve_in_place(MX);                       // into the range of the operator
  orthogonalise(MX);
  append(MX);
}

Eigen::MatrixXd BlockLanczos::orthogonalise(Eigen::Ref<Eigen::MatrixXd> X) {
  Eigen::MatrixXd coefficients = Eigen::MatrixXd::Zero(size_, X.cols());
  Eigen::MatrixXd along_rigid(N().cols(), X.cols());
  // All but rounding lies along the last two blocks (the three-term recurrence); one more pass
  // over the whole basis then removes the rounding.
  const Eigen::Index recent = std::min<Eigen::Index>(size_, 2 * block_);
  for (const Eigen::Index width : {recent, size_}) {
    multiply_transposed(MN(), X, along_rigid);
    subtract_product(N(), along_rigid, X);
    Eigen::MatrixXd along(width, X.cols());
    multiply_transposed(MQ_.middleCols(size_ - width, width), X, along);
    subtract_product(Q_.middleCols(size_ - width, width), along, X);
    coefficients.bottomRows(width) += along;
  }
  return coefficients;
}

Eigen::MatrixXd BlockLanczos::append(Eigen::Ref<Eigen::MatrixXd> X) {
  // Cholesky QR in the M-inner product; the second pass repairs what the first one rounds.
  reserve(size_ + X.cols());
  Eigen::MatrixXd R = Eigen::MatrixXd::Identity(X.cols(), X.cols());
  Eigen::MatrixXd MX(X.rows(), X.cols());
  Eigen::MatrixXd gram(X.cols(), X.cols());
  const double before = X.colwise().norm().maxCoeff();
  for (int pass = 0; pass < 2; ++pass) {
    multiply_mass(m_, X, MX);
    multiply_transposed(X, MX, gram);
    const Vector scale = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd scaled = scale.asDiagonal() * gram * scale.asDiagonal();
    const Eigen::LLT<Eigen::MatrixXd> llt(scaled);
    const Vector pivots = llt.matrixL().nestedExpression().diagonal();
    if (llt.info() != Eigen::Success || pivots.minCoeff() < kNothingNew || before == 0) {
      exhausted_ = true;
      return R;
    }
    const Eigen::MatrixXd factor =
        Eigen::MatrixXd(llt.matrixU()) * scale.cwiseInverse().asDiagonal();
    factor.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(X);
    R = factor * R;
  }
  multiply_mass(m_, X, MX);
  Q_.middleCols(size_, X.cols()) = X;
  MQ_.middleCols(size_, X.cols()) = MX;
  size_ += X.cols();
  return R;
}

void BlockLanczos::expand() {
  Eigen::MatrixXd X = MQ_.middleCols(size_ - block_, block_);
  factor().solve_in_place(X);
  const Eigen::MatrixXd column = orthogonalise(X);
  T_.conservativeResize(size_, size_);
  T_.rightCols(block_) = column;
  T_.bottomRows(block_) = column.transpose();
  T_.bottomRightCorner(block_, block_) =
      (column.bottomRows(block_) + column.bottomRows(block_).transpose()).eval() / 2;
  remainder_ = append(X);
}

int BlockLanczos::converged_pairs() {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(T_);
  theta_ = eigen.eigenvalues().reverse();
  ritz_ = eigen.eigenvectors().rowwise().reverse();
  int count = 0;
  for (; count < theta_.size() && theta_[count] > 0; ++count) {
    // ‖r‖_M, since the next block is M-orthonormal.
    const double residual = (remainder_ * ritz_.col(count).tail(block_)).norm();
    if (!exhausted_ && residual > kTolerance * theta_[count]) break;
  }
  return count;
}

EigenPairs BlockLanczos::ritz_pairs(int count) const {
  const Eigen::Index inner = T_.rows();
  EigenPairs pairs;
  pairs.eigenvalues = theta_.head(count).cwiseInverse();
  pairs.vectors.resize(Q_.rows(), count);
  // φ = x + r/θ: the basis and, unless exhausted, its next block.
  Eigen::MatrixXd coefficients(size_, count);
  coefficients.topRows(inner) = ritz_.leftCols(count);
  if (size_ > inner) {
    coefficients.bottomRows(block_) =
        remainder_ * ritz_.leftCols(count).bottomRows(block_) * pairs.eigenvalues.asDiagonal();
  }
  coefficients.colwise().normalize();
  multiply(Q_.leftCols(size_), coefficients, pairs.vectors);
  return pairs;
}

EigenPairs BlockLanczos::lowest(int count, const Progress& progress) {
  const SingleThreadedBlas alone;
  const Eigen::Index limit = std::min<Eigen::Index>(3 * m_.rows(), 20 * count + 200);
  Eigen::Index next_check = std::max<Eigen::Index>(count + block_, T_.rows());
  while (true) {
    if (T_.rows() >= next_check || exhausted_) {
      const int converged = T_.rows() > 0 ? converged_pairs() : 0;
      report(progress, "modes", std::min(1.0, converged / static_cast<double>(count)));
      if (converged >= count) return ritz_pairs(count);
      if (exhausted_ || size_ + block_ > limit) {
        throw Error("only " + std::to_string(converged) + " of " + std::to_string(count) +
                        " modes converged",
                    "eigenvalues", "ask for fewer modes or check the mesh's quality",
                    Error::Kind::work_failed);
      }
      next_check = static_cast<Eigen::Index>(kCheckGrowth * T_.rows()) + 1;
    }
    expand();
  }
}

}  // namespace limber
