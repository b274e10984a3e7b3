// Motions told by few shapes: as many as there are, within the tolerance, or none.
#include "limber/export/motion_basis.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

namespace limber {
namespace {

using Frames = std::vector<Eigen::VectorXf>;

FramePoints points_of(const Frames& frames) {
  return [&frames](std::size_t frame) {
    return std::span<const float>(frames[frame].data(),
                                  static_cast<std::size_t>(frames[frame].size()));
  };
}

Eigen::VectorXf noise(int numbers, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> spread(-1, 1);
  return Eigen::VectorXf::NullaryExpr(numbers, [&] { return spread(random); });
}

/// The farthest that a point of a frame is from its mixture, found without the basis' own help.
double farthest_off(const MotionBasis& basis, const Frames& frames) {
  double farthest = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const Eigen::VectorXf off =
        frames[f] - frames[0] - basis.shapes * basis.weights.row(static_cast<int>(f)).transpose();
    for (int p = 0; p < off.size(); p += 3) {
      farthest = std::max<double>(farthest, off.segment<3>(p).norm());
    }
  }
  return farthest;
}

/// A row of points that swings about its first one, by up to an angle.
Frames pendulum(double angle) {
  Frames frames;
  for (int f = 0; f < 60; ++f) {
    const double turn = angle * std::sin(0.3 * f);
    Eigen::VectorXf frame(3 * 20);
    for (int p = 0; p < 20; ++p) {
      frame.segment<3>(3 * p) << 0.1F * p * std::cos(turn), 0.1F * p * std::sin(turn), 0;
    }
    frames.push_back(frame);
  }
  return frames;
}

TEST(MotionBasis, ModesThatSwingAreFoundAgainByTheirNumber) {
  const Eigen::VectorXf rest = noise(300, 1), a = noise(300, 2), b = noise(300, 3);
  Frames frames;
  for (int f = 0; f < 40; ++f) {
    frames.push_back(rest + std::sin(0.2F * f) * a + 0.01F * std::sin(0.7F * f) * b);
  }
  const auto basis = find_motion_basis(points_of(frames), frames.size(), 1e-5, 20);
  ASSERT_TRUE(basis);
  EXPECT_EQ(basis->count(), 2U);
  EXPECT_LE(basis->error, 1e-5);
  EXPECT_FLOAT_EQ(basis->weights.cwiseAbs().maxCoeff(), 1);
}

TEST(MotionBasis, TurningTakesTwoShapes) {
  const Frames frames = pendulum(2);  // offsets: (cos - 1) x and sin y
  const auto basis = find_motion_basis(points_of(frames), frames.size(), 1e-5, 20);
  ASSERT_TRUE(basis);
  EXPECT_EQ(basis->count(), 2U);
}

TEST(MotionBasis, NoPointIsFartherOffThanAllowed) {
  Frames frames = pendulum(2);
  for (std::size_t f = 0; f < frames.size(); ++f) {  // bends as well, by ever smaller powers
    for (int p = 0; p < 20; ++p) {
      frames[f][3 * p + 2] = std::exp(0.1F * p * std::sin(0.1F * static_cast<float>(f)));
    }
  }
  std::size_t shapes = 0;
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    const auto basis = find_motion_basis(points_of(frames), frames.size(), tolerance, 30);
    ASSERT_TRUE(basis) << tolerance;
    // Mixing in single precision: some roundings of numbers near 4.
    EXPECT_LE(farthest_off(*basis, frames), tolerance + 4e-6);
    EXPECT_LE(basis->error, 1.05 * tolerance + 1e-6);
    EXPECT_GT(basis->count(), shapes);
    shapes = basis->count();
  }
}

TEST(MotionBasis, NoiseHasNone) {
  Frames frames;
  for (unsigned f = 0; f < 30; ++f) frames.push_back(noise(300, f));
  EXPECT_FALSE(find_motion_basis(points_of(frames), frames.size(), 1e-5, 15));
}

TEST(MotionBasis, WhatRestsHasNone) {
  const Frames frames(10, noise(30, 1));
  EXPECT_FALSE(find_motion_basis(points_of(frames), frames.size(), 1e-5, 5));
}

TEST(MotionBasis, OtherValuesFollowTheSameWeights) {
  const Frames frames = pendulum(2);
  const auto basis = find_motion_basis(points_of(frames), frames.size(), 1e-5, 20);
  ASSERT_TRUE(basis);
  Frames values;
  const Eigen::VectorXf first = noise(12, 1), second = noise(12, 2);
  for (int f = 0; f < 60; ++f) {
    values.push_back(basis->weights(f, 0) * first + basis->weights(f, 1) * second);
  }
  const Eigen::MatrixXf shapes = fitted_shapes(*basis, points_of(values));
  for (int f = 0; f < 60; ++f) {
    const Eigen::VectorXf shown = values[0] + shapes * basis->weights.row(f).transpose();
    EXPECT_LT((shown - values[static_cast<std::size_t>(f)]).cwiseAbs().maxCoeff(), 1e-5) << f;
  }
}

}  // namespace
}  // namespace limber
