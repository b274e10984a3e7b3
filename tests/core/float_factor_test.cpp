// The single precision factor against a dense solve.
#include "limber/core/solvers/float_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "limber/fem/mass.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/sample_shapes.h"

namespace limber {
namespace {

Vector solve(const FloatFactor& factor, const Vector& b) {
  std::vector<float> x(b.size());
  for (int k = 0; k < b.size(); ++k) x[factor.place()[k]] = static_cast<float>(b[k]);
  factor.solve_in_place(x);
  Vector result(b.size());
  for (int k = 0; k < b.size(); ++k) result[k] = x[factor.place()[k]];
  return result;
}

class FloatFactorTest : public testing::TestWithParam<Cholesky::Backend> {};

TEST_P(FloatFactorTest, SolvesLikeADenseFactorUpToSinglePrecision) {
  const Material rubber{1e5, 0.3, 1000};
  for (const CellCounts& cells : {CellCounts{1, 1, 1}, CellCounts{4, 3, 2}, CellCounts{7, 3, 3}}) {
    const TetMesh mesh = bar({1, 0.5, 0.4}, cells);
    const SparseMatrix A = mass(mesh, rubber) + 1e-4 * stiffness(mesh, rubber);
    const FloatFactor factor(Cholesky(A, {GetParam(), 3}));
    const Vector b = Vector::Random(A.rows());
    const Vector expected = Eigen::MatrixXd(A).llt().solve(b);
    // Rounding of 6e-8 times a condition number of about 1e3.
    EXPECT_LT((solve(factor, b) - expected).norm(), 1e-4 * expected.norm());
    EXPECT_EQ(factor.size(), A.rows());
  }
}

TEST_P(FloatFactorTest, SolvesDiagonalMatricesAndOneUnknown) {
  for (const int n : {1, 5, 17}) {
    SparseMatrix A(n, n);
    A.setIdentity();
    A *= 4;
    const FloatFactor factor(Cholesky(A, {GetParam(), 1}));
    EXPECT_EQ(solve(factor, Vector::Constant(n, 8)), Vector::Constant(n, 2));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, FloatFactorTest,
                         testing::Values(Cholesky::Backend::automatic,
                                         Cholesky::Backend::simplicial));

}  // namespace
}  // namespace limber
