// The factor of 8-bit and 16-bit numbers against a dense solve.
#include "limber/core/solvers/packed_factor.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <Eigen/Cholesky>

#include "limber/fem/mass.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/sample_shapes.h"

namespace limber {
namespace {

Vector solve(const PackedFactor& factor, const Vector& b) {
  std::vector<float> x(b.size());
  for (int k = 0; k < b.size(); ++k) x[factor.place()[k]] = static_cast<float>(b[k]);
  factor.solve_in_place(x);
  Vector result(b.size());
  for (int k = 0; k < b.size(); ++k) result[k] = x[factor.place()[k]] / factor.scale();
  return result;
}

SparseMatrix step_matrix(const CellCounts& cells) {
  const Material rubber{1e5, 0.3, 1000};
  const TetMesh mesh = bar({1, 0.5, 0.4}, cells);
  return mass(mesh, rubber) + 1e-4 * stiffness(mesh, rubber);
}

class PackedFactorTest : public testing::TestWithParam<Cholesky::Backend> {};

// Rounding takes up to 2.5e-4 from a number below 1/16 and 1.5e-5 of a larger one. A condition
// number of about 1e3 would make far more of it; roundings of many numbers partly cancel.
constexpr double kPrecision = 2e-3;

TEST_P(PackedFactorTest, SolvesLikeADenseFactorUpToItsPrecision) {
  for (const CellCounts& cells : {CellCounts{1, 1, 1}, CellCounts{4, 3, 2}, CellCounts{7, 3, 3}}) {
    const SparseMatrix A = step_matrix(cells);
    const PackedFactor factor(Cholesky(A, {GetParam(), 3}));
    const Vector b = Vector::Random(A.rows());
    const Vector expected = Eigen::MatrixXd(A).llt().solve(b);
    EXPECT_LT((solve(factor, b) - expected).norm(), kPrecision * expected.norm());
    EXPECT_EQ(factor.size(), A.rows());
  }
}

TEST_P(PackedFactorTest, SolvesDiagonalMatricesAndOneUnknown) {
  for (const int n : {1, 5, 17}) {
    SparseMatrix A(n, n);
    A.setIdentity();
    A *= 4;
    A.coeffRef(n - 1, n - 1) = 1;
    const PackedFactor factor(Cholesky(A, {GetParam(), 1}));
    const Vector expected = A.diagonal().cwiseInverse() * 8;
    // Ones are kept as 32767 times a float: a few roundings of 6e-8.
    EXPECT_LT((solve(factor, Vector::Constant(n, 8)) - expected).norm(), 5e-7 * expected.norm());
  }
}

// Both substitutions read the same rounded numbers, so what they give is symmetric up to the
// single precision of their sums; conjugate gradients rely on it.
TEST_P(PackedFactorTest, IsSymmetricAndPositive) {
  const SparseMatrix A = step_matrix({7, 3, 3});
  const PackedFactor factor(Cholesky(A, {GetParam(), 3}));
  const Vector a = Vector::Random(A.rows());
  const Vector b = Vector::Random(A.rows());
  const Vector Pa = solve(factor, a);
  const Vector Pb = solve(factor, b);
  EXPECT_NEAR(a.dot(Pb), b.dot(Pa), 1e-5 * std::sqrt(a.dot(Pa) * b.dot(Pb)));
  EXPECT_GT(a.dot(Pa), 0);
}

TEST_P(PackedFactorTest, NumbersBelowASixteenthTakeAByte) {
  constexpr int n = 96;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Constant(n, n, 0.01);
  dense.diagonal().array() += 1;
  const SparseMatrix A = dense.sparseView();
  const PackedFactor factor(Cholesky(A, {GetParam(), 3}));
  const std::size_t with_two_each = sizeof(std::int16_t) * n * (n + 1) / 2;
  EXPECT_LT(factor.bytes(), with_two_each);
  const Vector b = Vector::Random(n);
  EXPECT_LT((solve(factor, b) - dense.llt().solve(b)).norm(), 1e-3 * b.norm());
}

TEST_P(PackedFactorTest, TheSizeOfTheMatrixDoesNotMatter) {
  const SparseMatrix A = step_matrix({4, 3, 2});
  const Vector b = Vector::Random(A.rows());
  const Vector expected = Eigen::MatrixXd(A).llt().solve(b);
  for (const double size : {1e-60, 1e-30, 1e30, 1e60}) {
    const PackedFactor factor(Cholesky(SparseMatrix(size * A), {GetParam(), 3}));
    EXPECT_LT((size * solve(factor, b) - expected).norm(), kPrecision * expected.norm()) << size;
  }
}

/// Unknowns whose stiffness differs by 1e12: D takes it all up.
TEST_P(PackedFactorTest, SoftAndHardUnknownsAreBothSolved) {
  const SparseMatrix A = step_matrix({4, 3, 2});
  Vector root = Vector::Ones(A.rows());
  root.tail(A.rows() / 2).setConstant(1e6);
  const SparseMatrix scaled = root.asDiagonal() * A * root.asDiagonal();
  const PackedFactor factor(Cholesky(scaled, {GetParam(), 3}));
  const Vector b = Vector::Random(A.rows());
  const Vector expected = Eigen::MatrixXd(A).llt().solve(b);
  const Vector found = root.cwiseProduct(solve(factor, root.cwiseProduct(b)));
  EXPECT_LT((found - expected).norm(), kPrecision * expected.norm());
}

TEST_P(PackedFactorTest, EveryInstructionSetGivesTheSameResult) {
  const SparseMatrix A = step_matrix({7, 3, 3});
  const PackedFactor factor(Cholesky(A, {GetParam(), 3}));
  const Vector b = Vector::Random(A.rows());
  const Vector expected = solve(factor, b);
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    hwy::SetSupportedTargetsForTest(target);
    // Sums in another order: 6e-8 times the condition number.
    EXPECT_LT((solve(factor, b) - expected).norm(), 1e-4 * expected.norm())
        << hwy::TargetName(target);
  }
  hwy::SetSupportedTargetsForTest(0);
}

INSTANTIATE_TEST_SUITE_P(Backends, PackedFactorTest,
                         testing::Values(Cholesky::Backend::automatic,
                                         Cholesky::Backend::simplicial));

}  // namespace
}  // namespace limber
