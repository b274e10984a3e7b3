// Both factorisations against a dense solve.
#include "limber/core/solvers/cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "limber/core/error.h"

namespace limber {
namespace {

/// A random sparse positive definite matrix of blocks with the same neighbours.
SparseMatrix random_spd(int groups, int block, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> pick(0, groups - 1);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(groups * block, groups * block);
  for (int k = 0; k < 3 * groups; ++k) {
    const int i = pick(random);
    const int j = pick(random);
    const Eigen::MatrixXd part =
        Eigen::MatrixXd::NullaryExpr(block, 2 * block, [&] { return normal(random); });
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(block, groups * block);
    B.middleCols(i * block, block) += part.leftCols(block);
    B.middleCols(j * block, block) += part.rightCols(block);
    dense += B.transpose() * B;
  }
  dense += Eigen::MatrixXd::Identity(dense.rows(), dense.cols());
  return dense.sparseView();
}

class CholeskyTest : public testing::TestWithParam<Cholesky::Backend> {};

TEST_P(CholeskyTest, SolvesLikeADenseFactor) {
  for (const int block : {1, 3}) {
    const SparseMatrix A = random_spd(40, block, 7);
    const Eigen::MatrixXd B = Eigen::MatrixXd::Random(A.rows(), 5);
    const Cholesky factor(A, {GetParam(), block});
    const Eigen::MatrixXd expected = Eigen::MatrixXd(A).llt().solve(B);
    EXPECT_LT((factor.solve(B) - expected).norm(), 1e-10 * expected.norm());
    EXPECT_LT((factor.solve(B.col(2)) - expected.col(2)).norm(), 1e-10 * expected.norm());
    EXPECT_EQ(factor.size(), A.rows());
    EXPECT_GE(factor.factor_nonzeros(), A.rows());
  }
}

TEST_P(CholeskyTest, RefactorsWithTheSamePattern) {
  SparseMatrix A = random_spd(30, 3, 9);
  Cholesky factor(A, {GetParam(), 3});
  A *= 4;
  factor.refactor(A);
  const Vector b = Vector::Random(A.rows());
  EXPECT_LT((A * factor.solve(b) - b).norm(), 1e-10 * b.norm());
}

TEST_P(CholeskyTest, RefusesAnIndefiniteMatrix) {
  SparseMatrix A = random_spd(30, 3, 11);
  A.coeffRef(4, 4) = -1;
  EXPECT_THROW((Cholesky{A, {GetParam(), 3}}), Error);
}

TEST_P(CholeskyTest, SolvesOneUnknownAndDiagonalMatrices) {
  SparseMatrix A(1, 1);
  A.insert(0, 0) = 4;
  EXPECT_DOUBLE_EQ(Cholesky(A, {GetParam(), 1}).solve(Vector::Constant(1, 8))(0), 2);
  SparseMatrix D(12, 12);
  D.setIdentity();
  EXPECT_EQ(Cholesky(D, {GetParam(), 3}).solve(Vector::Ones(12)), Vector::Ones(12));
}

INSTANTIATE_TEST_SUITE_P(Backends, CholeskyTest,
                         testing::Values(Cholesky::Backend::automatic,
                                         Cholesky::Backend::simplicial));

}  // namespace
}  // namespace limber
