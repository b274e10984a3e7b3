// Rotations against Eigen's angle-axis, quadrature and finite differences.
#include "limber/core/rotation.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <random>

namespace limber {
namespace {

constexpr double kPi = std::numbers::pi;

std::vector<Vec3> rotation_vectors() {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Vec3> vectors{Vec3::Zero()};
  for (const double angle : {1e-300, 1e-12, 1e-8, 1e-4, 0.01, 0.1, 0.5, 0.999, 1.0, 1.001, 2.0, 3.0,
                             kPi, 4.0, 2 * kPi - 0.01, 7.0, 20.0}) {
    vectors.push_back(angle * Vec3(normal(random), normal(random), normal(random)).normalized());
  }
  return vectors;
}

Mat3 angle_axis(const Vec3& w) {
  if (w.norm() == 0) return Mat3::Identity();
  return Eigen::AngleAxisd(w.norm(), w.normalized()).toRotationMatrix();
}

/// ∫₀¹ R(τw) dτ by composite Gauss quadrature of order six: error far below rounding.
Mat3 mean_by_quadrature(const Vec3& w) {
  constexpr int kIntervals = 400;
  const double offset = std::sqrt(0.6) / 2;
  Mat3 sum = Mat3::Zero();
  for (int i = 0; i < kIntervals; ++i) {
    const double middle = (i + 0.5) / kIntervals;
    sum += (5 * angle_axis(w * (middle - offset / kIntervals)) + 8 * angle_axis(w * middle) +
            5 * angle_axis(w * (middle + offset / kIntervals))) /
           18;
  }
  return sum / kIntervals;
}

template <class Function>
Mat3 central_differences(const Function& f, const Vec3& w) {
  const double step = 1e-5;  // truncation step², rounding eps/step: both near 1e-10
  Mat3 jacobian;
  for (int c = 0; c < 3; ++c) {
    const Vec3 d = step * Vec3::Unit(c);
    jacobian.col(c) = (f(w + d) - f(w - d)) / (2 * step);
  }
  return jacobian;
}

TEST(Rotation, ExpEqualsAngleAxisEverywhere) {
  for (const Vec3& w : rotation_vectors()) {
    // Rounding of sin and cos of an angle of 20 rad: 20 eps.
    EXPECT_LT((rotation_exp(w) - angle_axis(w)).norm(), 1e-14) << w.transpose();
  }
}

TEST(Rotation, MeanRotationEqualsQuadratureEverywhere) {
  for (const Vec3& w : rotation_vectors()) {
    EXPECT_LT((mean_rotation(w) - mean_by_quadrature(w)).norm(), 2e-13) << w.transpose();
  }
}

TEST(Rotation, DerivativesEqualFiniteDifferences) {
  const Vec3 u(0.3, -1.1, 0.7);
  for (const Vec3& w : rotation_vectors()) {
    const Mat3 mean =
        central_differences([&](const Vec3& x) -> Vec3 { return mean_rotation(x) * u; }, w);
    const Mat3 plain =
        central_differences([&](const Vec3& x) -> Vec3 { return rotation_exp(x) * u; }, w);
    EXPECT_LT((mean_rotation_derivative(w, u) - mean).norm(), 1e-9) << w.transpose();
    EXPECT_LT((rotation_derivative(w, u) - plain).norm(), 1e-9) << w.transpose();
  }
}

TEST(Rotation, LogInvertsExpUpToPi) {
  for (const Vec3& w : rotation_vectors()) {
    if (w.norm() > 3.1) continue;
    EXPECT_LT((rotation_log(rotation_exp(w)) - w).norm(), 1e-14 + 1e-14 * w.norm());
  }
}

TEST(Rotation, LogAtPiGivesOneOfTheTwoAxes) {
  const Vec3 axis = Vec3(1, -2, 0.5).normalized();
  const Mat3 R = 2 * axis * axis.transpose() - Mat3::Identity();
  const Vec3 w = rotation_log(R);
  EXPECT_NEAR(w.norm(), kPi, 1e-7);  // the sine of half the angle is flat at π
  EXPECT_LT((rotation_exp(w) - R).norm(), 1e-14);
}

TEST(Rotation, MeanRotationInverseInvertsAwayFromFullTurns) {
  for (const Vec3& w : rotation_vectors()) {
    const Mat3 product = mean_rotation_inverse(w) * mean_rotation(w);
    EXPECT_LT((product - Mat3::Identity()).norm(), 3e-12) << w.transpose();
  }
}

TEST(Rotation, MeanRotationInverseStaysBoundedAtFullTurns) {
  for (const double angle : {2 * kPi, 2 * kPi + 1e-9, 2 * kPi - 1e-5, 4 * kPi}) {
    const Mat3 inverse = mean_rotation_inverse(angle * Vec3(2, 1, -1).normalized());
    EXPECT_TRUE(inverse.allFinite());
    EXPECT_LT(inverse.norm(), 2e3);
  }
}

TEST(TurnBetween, TakesOneUnitVectorToTheOtherByTheShortestWay) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 100; ++i) {
    const Vec3 from = Vec3(normal(random), normal(random), normal(random)).normalized();
    const Vec3 near = (from + 1e-9 * Vec3(normal(random), 1, 0)).normalized();
    for (const Vec3& to :
         {Vec3(near.cross(Vec3(0.6, 0.8, 0)).normalized()), near, Vec3(-near), from, Vec3(-from)}) {
      const Eigen::Quaterniond turn = turn_between(from, to);
      EXPECT_NEAR(turn.norm(), 1, 1e-15);
      EXPECT_LT((turn * from - to).norm(), 2e-8);
      EXPECT_NEAR(std::abs(turn.w()), std::sqrt(std::max(0.0, (1 + from.dot(to)) / 2)), 2e-8);
    }
  }
}

TEST(Polar, GivesTheRotationOfRotationTimesStretch) {
  const Mat3 S = Vec3(2, 0.5, 1.3).asDiagonal();
  for (const Vec3& w : rotation_vectors()) {
    EXPECT_LT((polar_rotation(angle_axis(w) * S) - angle_axis(w)).norm(), 1e-14);
  }
}

TEST(Polar, IsARotationForInvertedFlatZeroAndBadInput) {
  const Mat3 flat = Vec3(1, 2, 0).asDiagonal();
  const Mat3 line = Vec3(0, 2, 0).asDiagonal();
  const Mat3 inverted = Vec3(1, 2, -0.3).asDiagonal();
  const Mat3 mirrored = -Mat3::Identity();
  const Mat3 bad = Mat3::Constant(std::nan(""));
  for (const Mat3& F : {flat, line, inverted, mirrored, Mat3(Mat3::Zero()), bad}) {
    const Mat3 R = polar_rotation(F);
    EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(R.determinant(), 1, 1e-14);
  }
  EXPECT_LT((polar_rotation(inverted) - Mat3::Identity()).norm(), 1e-14);
}

TEST(Polar, IsTheNearestRotationAmongMany) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 50; ++i) {
    const Mat3 F = Mat3::NullaryExpr([&] { return normal(random); });
    const double best = (F - polar_rotation(F)).norm();
    for (int k = 0; k < 200; ++k) {
      const Vec3 w(3 * normal(random), 3 * normal(random), 3 * normal(random));
      EXPECT_LE(best, (F - angle_axis(w)).norm() + 1e-12);
    }
  }
}

}  // namespace
}  // namespace limber
