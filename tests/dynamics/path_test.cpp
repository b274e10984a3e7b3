// Keyframed paths: through their keys, smooth to the second derivative, held outside.
#include "limber/dynamics/frame/path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "limber/core/error.h"

namespace limber {
namespace {

const std::vector<double> kTimes{0.5, 1.0, 2.5, 3.0, 4.0};
const std::vector<Vec3> kPoints{{0, 1, 2}, {1, -1, 0.5}, {2, 3, 1}, {2, 3, 1}, {-1, 0, 4}};

TEST(Path, PassesThroughItsKeysAndIsHeldOutside) {
  for (const Interpolation interpolation : {Interpolation::smooth, Interpolation::linear}) {
    const Path path(kTimes, kPoints, interpolation);
    for (std::size_t k = 0; k < kTimes.size(); ++k) {
      EXPECT_LT((path.at(kTimes[k]).value - kPoints[k]).norm(), 1e-14);
    }
    for (const double t : {-3.0, 0.49999, 4.0, 77.0}) {
      EXPECT_EQ(path.at(t).value, t < 1 ? kPoints.front() : kPoints.back());
      EXPECT_EQ(path.at(t).velocity, Vec3(Vec3::Zero()));
      EXPECT_EQ(path.at(t).acceleration, Vec3(Vec3::Zero()));
    }
  }
}

TEST(Path, DerivativesEqualFiniteDifferences) {
  // Central differences over 1e-4: truncation 1e-8 times third derivatives near 100.
  const double d = 1e-4;
  for (const Interpolation interpolation : {Interpolation::smooth, Interpolation::linear}) {
    const Path path(kTimes, kPoints, interpolation);
    for (double t = 0.55; t < 3.95; t += 0.1) {
      const Vec3 velocity = (path.at(t + d).value - path.at(t - d).value) / (2 * d);
      const Vec3 acceleration = (path.at(t + d).velocity - path.at(t - d).velocity) / (2 * d);
      EXPECT_LT((path.at(t).velocity - velocity).norm(), 1e-6);
      EXPECT_LT((path.at(t).acceleration - acceleration).norm(), 1e-6);
    }
  }
}

TEST(Path, SmoothPathsHaveContinuousAccelerationAndNoneAtTheEnds) {
  const Path path(kTimes, kPoints);
  const double d = 1e-9;  // neighbours differ by derivatives (below 1e3) times d
  for (std::size_t k = 1; k + 1 < kTimes.size(); ++k) {
    const Path::Sample before = path.at(kTimes[k] - d);
    const Path::Sample behind = path.at(kTimes[k] + d);
    EXPECT_LT((before.velocity - behind.velocity).norm(), 1e-6);
    EXPECT_LT((before.acceleration - behind.acceleration).norm(), 1e-6);
  }
  EXPECT_LT(path.at(kTimes.front()).acceleration.norm(), 1e-12);
  EXPECT_LT(path.at(kTimes.back() - d).acceleration.norm(), 1e-6);
}

TEST(Path, SmoothPathsConvergeAtFourthOrder) {
  const auto f = [](double t) { return std::sin(t); };  // no bend at 0 and π
  const auto error = [&](int keys) {
    std::vector<double> times;
    std::vector<Vec3> points;
    for (int k = 0; k <= keys; ++k) {
      times.push_back(std::numbers::pi * k / keys);
      points.emplace_back(f(times.back()), 0, 0);
    }
    const Path path(times, points);
    double worst = 0;
    for (double t = 0; t < std::numbers::pi; t += 0.01) {
      worst = std::max(worst, std::abs(path.at(t).value.x() - f(t)));
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), 4, 0.2);  // cubic splines are of fourth order
}

TEST(Path, TwoKeysAreAStraightLineWithoutAcceleration) {
  const Path path({1, 3}, {{0, 0, 0}, {4, -2, 1}});
  for (double t = 1; t < 3; t += 0.123) {
    EXPECT_EQ(path.at(t).acceleration, Vec3(Vec3::Zero()));
    EXPECT_EQ(path.at(t).velocity, Vec3(2, -1, 0.5));
  }
}

TEST(Path, JumpsAreTheVelocityChangesAtHeldEndsAndLinearKeys) {
  const double d = 1e-10;
  for (const Interpolation interpolation : {Interpolation::smooth, Interpolation::linear}) {
    const Path path(kTimes, kPoints, interpolation);
    EXPECT_EQ(path.jumps().size(), interpolation == Interpolation::linear ? 5U : 2U);
    for (const Path::Jump& jump : path.jumps()) {
      const Vec3 change = path.at(jump.time + d).velocity - path.at(jump.time - d).velocity;
      EXPECT_LT((change - jump.velocity).norm(), 1e-6);
    }
  }
  EXPECT_TRUE(Path({1}, {{1, 2, 3}}).jumps().empty());
  EXPECT_TRUE(Path({1, 2}, {{1, 2, 3}, {1, 2, 3}}).jumps().empty());
}

TEST(Path, RefusesTimesThatDoNotAscendAndBadNumbers) {
  const Vec3 p = Vec3::Zero();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Path({}, {}), Error);
  EXPECT_THROW(Path({0, 1}, {p}), Error);
  EXPECT_THROW(Path({0, 0}, {p, p}), Error);
  EXPECT_THROW(Path({0, 2, 1}, {p, p, p}), Error);
  EXPECT_THROW(Path({0, nan}, {p, p}), Error);
  EXPECT_THROW(Path({0, 1}, {p, Vec3(0, nan, 0)}), Error);
}

}  // namespace
}  // namespace limber
