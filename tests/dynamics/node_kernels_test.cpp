// The SIMD loops over nodes against plain Eigen and core/rotation.
#include "limber/dynamics/modal/node_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "limber/core/rotation.h"

namespace limber {
namespace {

TEST(NodeKernels, ProductsEqualEigenForEveryNumberOfModes) {
  // Dot products of up to 45 numbers of size one: 45 eps, at worst.
  const int nodes = 7;
  for (int modes = 1; modes <= 45; ++modes) {
    const ModeMatrix A = ModeMatrix::Random(3 * nodes, modes);
    const Vector x = Vector::Random(modes);
    Vector y = Vector::Constant(3 * nodes, 99);
    kernels::multiply(A.data(), nodes, modes, x.data(), y.data());
    EXPECT_LT((y - A * x).cwiseAbs().maxCoeff(), 1e-14) << modes;
    Vector sum = x;
    kernels::add_transposed(A.data(), nodes, modes, y.data(), sum.data());
    EXPECT_LT((sum - (x + A.transpose() * y)).cwiseAbs().maxCoeff(), 2e-13) << modes;
    const std::array<std::int32_t, 3> some{5, 0, 5};
    Vector at(9);
    kernels::multiply_at(A.data(), some.data(), 3, modes, x.data(), at.data());
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ((Vec3(at.segment<3>(3 * k))), (Vec3(y.segment<3>(3 * some[k])))) << modes;
    const Eigen::MatrixXd three = Eigen::MatrixXd::Random(3 * nodes, 3);
    const int stride = modes + 2;
    Eigen::MatrixXd sums = Eigen::MatrixXd::Constant(stride, 3, 7);
    kernels::add_transposed_three(A.data(), nodes, modes, three.data(), sums.data(), stride);
    const Eigen::MatrixXd expected = (A.transpose() * three).array() + 7;
    EXPECT_LT((sums.topRows(modes) - expected).cwiseAbs().maxCoeff(), 1e-13) << modes;
    EXPECT_EQ(sums(modes, 0), 7);
  }
}

class Turns : public testing::TestWithParam<double> {};

TEST_P(Turns, EqualTheRotationsOfCore) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int nodes = 1; nodes <= 19; ++nodes) {
    Positions w(nodes, 3);
    Positions u(nodes, 3);
    for (int i = 0; i < nodes; ++i) {
      const Vec3 axis(normal(random), normal(random), normal(random));
      w.row(i) = GetParam() * axis.normalized();
      u.row(i) << normal(random), normal(random), normal(random);
    }
    Positions forth(nodes, 3);
    Positions back(nodes, 3);
    Positions mean(nodes, 3);
    Positions mean_back = u;
    kernels::turn(w.data(), u.data(), nodes, forth.data());
    kernels::turn_back(w.data(), u.data(), nodes, back.data());
    kernels::turn_mean(w.data(), u.data(), nodes, mean.data());
    kernels::turn_mean_back(w.data(), mean_back.data(), nodes, mean_back.data());
    const Positions other = Positions::Random(nodes, 3);
    Positions rate(nodes, 3);
    Positions gradient = other;
    kernels::mean_rate(w.data(), u.data(), other.data(), nodes, rate.data());
    kernels::mean_gradient(w.data(), u.data(), gradient.data(), nodes, gradient.data());
    std::array<Positions, 3> F;
    std::vector<double> acting(9 * nodes), turned_back(9 * nodes), gradients(9 * nodes);
    for (int set = 0; set < 3; ++set) {
      F[set] = Positions::Random(nodes, 3);
      std::copy_n(F[set].data(), 3 * nodes, acting.data() + 3 * nodes * set);
    }
    kernels::work_of_three(w.data(), u.data(), acting.data(), nodes, turned_back.data(),
                           gradients.data());
    for (int set = 0; set < 3; ++set) {
      for (int i = 0; i < nodes; ++i) {
        const Vec3 wi = w.row(i), ui = u.row(i), Fi = F[set].row(i);
        const Eigen::Map<const Vec3> back_i(turned_back.data() + 3 * (nodes * set + i));
        const Eigen::Map<const Vec3> gradient_i(gradients.data() + 3 * (nodes * set + i));
        EXPECT_LT((back_i - mean_rotation(wi).transpose() * Fi).norm(), 2e-13);
        EXPECT_LT((gradient_i - mean_rotation_derivative(wi, ui).transpose() * Fi).norm(), 2e-13);
      }
    }
    // Rounding of the sine of an angle of 20 rad times vectors up to 4: 20 · 4 · 3 eps.
    for (int i = 0; i < nodes; ++i) {
      const Vec3 wi = w.row(i);
      const Vec3 ui = u.row(i);
      EXPECT_LT((forth.row(i).transpose() - rotation_exp(wi) * ui).norm(), 5e-14);
      EXPECT_LT((back.row(i).transpose() - rotation_exp(wi).transpose() * ui).norm(), 5e-14);
      EXPECT_LT((mean.row(i).transpose() - mean_rotation(wi) * ui).norm(), 5e-14);
      EXPECT_LT((mean_back.row(i).transpose() - mean_rotation(wi).transpose() * ui).norm(), 5e-14);
      const Mat3 D = mean_rotation_derivative(wi, ui);
      const Vec3 oi = other.row(i);
      EXPECT_LT((rate.row(i).transpose() - D * oi).norm(), 2e-13);
      EXPECT_LT((gradient.row(i).transpose() - D.transpose() * oi).norm(), 2e-13);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Angles, Turns,
                         testing::Values(0.0, 1e-200, 1e-16, 1e-12, 1e-8, 1e-4, 0.1, 1.0, 3.0,
                                         6.283185307179586, 20.0));

}  // namespace
}  // namespace limber
