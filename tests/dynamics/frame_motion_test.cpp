// Support frames: derivatives against finite differences, turns, jumps.
#include "limber/dynamics/frame/frame_motion.h"

#include <gtest/gtest.h>

#include <numbers>

#include "bodies.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {
namespace {

constexpr double kPi = std::numbers::pi;

std::vector<SupportKey> tumbling_keys() {
  return {{0, {0, 0, 0}, test::turned(0.3, {1, 0, 0})},
          {0.7, {1, 0, 2}, test::turned(1.4, {0, 1, 1})},
          {1.5, {0, 3, 1}, test::turned(2.5, {1, -1, 0.5})},
          {2, {1, 1, 1}, test::turned(0.5, {0, 0, 1})}};
}

TEST(SupportMotion, DerivativesEqualFiniteDifferences) {
  // Central differences over 1e-4: truncation 1e-8 times third derivatives near 100.
  const double d = 1e-4;
  for (const Interpolation interpolation : {Interpolation::smooth, Interpolation::linear}) {
    const SupportMotion motion(tumbling_keys(), interpolation);
    for (double t = 0.05; t < 1.99; t += 0.1) {
      const FrameState now = motion.at(t);
      const FrameState before = motion.at(t - d);
      const FrameState behind = motion.at(t + d);
      const Mat3 spin = (behind.rotation - before.rotation) / (2 * d) * now.rotation.transpose();
      EXPECT_LT((spin - skew(now.angular_velocity)).norm(), 1e-5);
      EXPECT_LT((now.velocity - (behind.position - before.position) / (2 * d)).norm(), 1e-6);
      EXPECT_LT((now.acceleration - (behind.velocity - before.velocity) / (2 * d)).norm(), 1e-6);
      const Vec3 alpha = (behind.angular_velocity - before.angular_velocity) / (2 * d);
      EXPECT_LT((now.angular_acceleration - alpha).norm(), 1e-5);
    }
  }
}

TEST(SupportMotion, PassesThroughItsKeys) {
  for (const Interpolation interpolation : {Interpolation::smooth, Interpolation::linear}) {
    const SupportMotion motion(tumbling_keys(), interpolation);
    for (const SupportKey& key : tumbling_keys()) {
      const FrameState state = motion.at(key.time);
      EXPECT_LT((state.position - key.position).norm(), 1e-14);
      EXPECT_LT((state.rotation - key.rotation.toRotationMatrix()).norm(), 1e-14);
    }
  }
}

TEST(SupportMotion, TwoKeysTurnAtConstantSpeedFromAnyStart) {
  const Eigen::Quaterniond start = test::turned(1, {1, 2, 3});
  const Vec3 axis = Vec3(0, 1, -1).normalized();
  const SupportMotion motion(
      {{0, {0, 0, 0}, start}, {2, {0, 0, 0}, test::turned(3, axis) * start}});
  for (double t = 0; t < 2; t += 0.1) {
    EXPECT_LT((motion.at(t).angular_velocity - 1.5 * axis).norm(), 1e-14);
    EXPECT_LT(motion.at(t).angular_acceleration.norm(), 1e-13);
  }
}

TEST(SupportMotion, QuarterTurnsGoOnPastHalfAndFullTurns) {
  std::vector<SupportKey> keys;
  for (int k = 0; k <= 12; ++k)
    keys.push_back({0.5 * k, {0, 0, 0}, test::turned(k * kPi / 2, {0, 0, 1})});
  const SupportMotion motion(keys);
  for (double t = 0; t < 6; t += 0.05) {
    EXPECT_LT((motion.at(t).angular_velocity - Vec3(0, 0, kPi)).norm(), 1e-12) << t;
  }
}

TEST(SupportMotion, KeysTurnedAlikeHaveNoJumpsOfTurning) {
  // R Rᵀ is off one by rounding, which over a nanosecond looks like a spin.
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.31, -0.7, 0.23, 0.11).normalized();
  const SupportMotion motion({{0, Vec3::Zero(), turn}, {1e-9, Vec3::UnitX(), turn}},
                             Interpolation::smooth, "support");
  ASSERT_FALSE(motion.jumps_in(-1, 1).empty());
  for (const VelocityJump& jump : motion.jumps_in(-1, 1)) {
    EXPECT_EQ(jump.angular_velocity, Vec3::Zero());
  }
}

TEST(SupportMotion, OppositeQuaternionsAreTheSameRotation) {
  Eigen::Quaterniond q = test::turned(0.4, {1, 0, 0});
  const Eigen::Quaterniond opposite(-q.w(), -q.x(), -q.y(), -q.z());
  const SupportMotion a({{0, {0, 0, 0}, test::turned(0.1, {1, 0, 0})}, {1, {0, 0, 0}, q}});
  const SupportMotion b({{0, {0, 0, 0}, test::turned(0.1, {1, 0, 0})}, {1, {0, 0, 0}, opposite}});
  EXPECT_LT((a.at(0.5).rotation - b.at(0.5).rotation).norm(), 1e-15);
}

TEST(SupportMotion, JumpsAreTheVelocityChanges) {
  const double d = 1e-10;  // velocities change by derivatives (below 1e3) times d
  for (const Interpolation interpolation : {Interpolation::smooth, Interpolation::linear}) {
    const SupportMotion motion(tumbling_keys(), interpolation);
    EXPECT_EQ(motion.jumps().size(), interpolation == Interpolation::linear ? 4U : 2U);
    for (const VelocityJump& jump : motion.jumps()) {
      const FrameState before = motion.at(jump.time - d);
      const FrameState behind = motion.at(jump.time + d);
      EXPECT_LT((behind.velocity - before.velocity - jump.velocity).norm(), 1e-6);
      EXPECT_LT((behind.angular_velocity - before.angular_velocity - jump.angular_velocity).norm(),
                1e-6);
    }
  }
}

TEST(SupportMotion, AJumpBelongsToTheStepThatEndsWithIt) {
  const SupportMotion motion({{0, {0, 0, 0}}, {1, {3, 0, 0}}});
  EXPECT_EQ(motion.velocity_jump(0, 0.5).velocity, Vec3(0, 0, 0));
  EXPECT_EQ(motion.velocity_jump(0.5, 1).velocity, Vec3(-3, 0, 0));
  EXPECT_EQ(motion.velocity_jump(1, 2).velocity, Vec3(0, 0, 0));
  EXPECT_EQ(motion.velocity_jump(-1, 2).velocity, Vec3(0, 0, 0));  // starts and stops
}

TEST(SupportMotion, RestsWithoutKeysOrWithOne) {
  EXPECT_EQ(SupportMotion().at(3).rotation, Mat3(Mat3::Identity()));
  const SupportMotion one({{2, {1, 2, 3}, test::turned(1, {1, 1, 0})}});
  EXPECT_EQ(one.at(0).position, Vec3(1, 2, 3));
  EXPECT_EQ(one.at(5).angular_velocity, Vec3(0, 0, 0));
  EXPECT_TRUE(one.jumps().empty());
  EXPECT_FALSE(one.turns());
}

TEST(SupportMotion, RefusesAQuaternionWithoutLength) {
  EXPECT_THROW(SupportMotion({{0, {0, 0, 0}, Eigen::Quaterniond(0, 0, 0, 0)}}), Error);
  EXPECT_THROW(SupportMotion({{1, {0, 0, 0}}, {1, {0, 0, 0}}}), Error);
}

}  // namespace
}  // namespace limber
