// Curves over the mode index and what the controls make of frequencies and damping.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/interpolate/trajectories/key_weights.h"
#include "limber/interpolate/trajectories/modal_motion.h"

namespace limber {
namespace {

const Vector kEigenvalues = (Vector(4) << 4, 25, 100, 900).finished();

double lambda(const Swing& swing) { return std::sqrt(swing.stiffness()); }

TEST(ModeCurve, IsANumberNumbersOrASplineWithoutOvershoot) {
  EXPECT_EQ(ModeCurve(0.3).sample(5, -1, 1, "x"), Vector::Constant(5, 0.3));
  EXPECT_EQ(ModeCurve(std::vector<double>{1, 2, 3}).sample(3, 0, 9, "x")[2], 3);
  const ModeCurve curve = ModeCurve::spline({{2, 0}, {5, 1}, {9, 1}, {12, -1}});
  const Vector values = curve.sample(20, -1, 1, "x");
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[2], 0);
  EXPECT_EQ(values[5], 1);
  EXPECT_EQ(values[12], -1);
  EXPECT_EQ(values[19], -1);
  for (int k = 2; k < 5; ++k) EXPECT_LE(values[k], values[k + 1]);
  for (int k = 5; k < 9; ++k) EXPECT_NEAR(values[k], 1, 1e-15);
  for (int k = 9; k < 12; ++k) EXPECT_GE(values[k], values[k + 1]);
}

TEST(ModeCurve, RefusesWhatIsOutOfRangeOrOutOfOrder) {
  EXPECT_THROW((void)ModeCurve(1.5).sample(3, -1, 1, "x"), Error);
  EXPECT_THROW((void)ModeCurve(std::nan("")).sample(3, -1, 1, "x"), Error);
  EXPECT_THROW((void)ModeCurve(std::vector<double>{1, 1}).sample(3, -1, 1, "x"), Error);
  EXPECT_THROW((void)ModeCurve::spline({}).sample(3, -1, 1, "x"), Error);
  EXPECT_THROW((void)ModeCurve::spline({{1, 0}, {1, 1}}).sample(3, -1, 1, "x"), Error);
  EXPECT_THROW((void)ModeCurve::spline({{0, 2}}).sample(3, -1, 1, "x"), Error);
}

TEST(MotionControls, ScaleFrequenciesAsTheySay) {
  MotionControls controls;
  EXPECT_NEAR(lambda(wanted_swings(kEigenvalues, controls)[2]), 10, 1e-12);
  controls.stiffness_scale = 4;
  EXPECT_NEAR(lambda(wanted_swings(kEigenvalues, controls)[2]), 20, 1e-12);
  controls.mass_scale = 16;
  EXPECT_NEAR(lambda(wanted_swings(kEigenvalues, controls)[2]), 5, 1e-12);
  controls = {};
  controls.frequency = 0.5;  // λ² e^{0.5/0.5}
  EXPECT_NEAR(lambda(wanted_swings(kEigenvalues, controls)[0]), 2 * std::exp(0.5), 1e-12);
  controls.frequency = -1.0;
  EXPECT_EQ(lambda(wanted_swings(kEigenvalues, controls)[3]), 0);
  controls.frequency = 1.0;
  EXPECT_NEAR(lambda(wanted_swings(kEigenvalues, controls)[0]), 2000, 1e-9);
}

TEST(MotionControls, DampAfterRayleighOrByRatio) {
  MotionControls controls;
  controls.damping = {0.6, 0.01};
  EXPECT_NEAR(wanted_swings(kEigenvalues, controls)[1].alpha, (0.6 + 0.25) / 2, 1e-14);
  controls.damping_ratio = 1.0;  // critical
  for (const Swing& swing : wanted_swings(kEigenvalues, controls)) EXPECT_EQ(swing.kappa, 0);
  controls.damping_ratio = -1.0;
  EXPECT_EQ(wanted_swings(kEigenvalues, controls)[1].alpha, 0);
  controls.damping_ratio = 0.0;
  controls.frequency = ModeCurve(std::vector<double>{0, 0.5, 0, 0});
  // With η applied first.
  EXPECT_NEAR(wanted_swings(kEigenvalues, controls)[1].alpha, 5 * std::exp(0.5) / 2, 1e-12);
}

TEST(MotionControls, RefuseWhatMakesNoSense) {
  const auto refused = [](auto change) {
    MotionControls controls;
    change(controls);
    EXPECT_THROW((void)wanted_swings(kEigenvalues, controls), Error);
  };
  refused([](MotionControls& c) { c.stiffness_scale = 0; });
  refused([](MotionControls& c) { c.mass_scale = -1; });
  refused([](MotionControls& c) { c.damping.mass = -0.1; });
  refused([](MotionControls& c) { c.damping.stiffness = std::nan(""); });
  refused([](MotionControls& c) { c.frequency = 1.1; });
  refused([](MotionControls& c) { c.damping_ratio = -2.0; });
  refused([](MotionControls& c) { c.rest_shift = 1.5; });
  MotionControls controls;
  controls.velocity_weight = -1.0;
  EXPECT_THROW((void)adjustment_weights(4, controls), Error);
}

ModalKeys some_keys() {
  ModalKeys keys;
  keys.times = {0, 1.2};
  keys.z = {(Vector(4) << 1, -0.5, 0, 0.2).finished(), (Vector(4) << -0.3, 0.8, 0.4, 0).finished()};
  return keys;
}

TEST(ModalMotion, IsMonotoneWhenFrequencyAndDampingAreOff) {
  MotionControls controls;
  controls.frequency = -1.0;
  controls.damping_ratio = -1.0;
  const ModalKeys keys = some_keys();
  const ModalMotion motion(kEigenvalues, keys, controls, Trajectory::automatic);
  Vector last = keys.z[0];
  Vector now(4);
  for (int k = 1; k <= 60; ++k) {
    motion.at(1.2 * k / 60, now);
    for (int mode = 0; mode < 4; ++mode) {
      const double direction = keys.z[1][mode] - keys.z[0][mode];
      EXPECT_GE((now[mode] - last[mode]) * direction, -1e-15);
    }
    last = now;
  }
  EXPECT_LT((last - keys.z[1]).norm(), 1e-14);
}

TEST(ModalMotion, UndampedKeepsTheEnergyOfEveryMode) {
  MotionControls controls;
  controls.adjust = false;
  const ModalMotion motion(kEigenvalues, some_keys(), controls, Trajectory::free);
  Vector z(4), v(4);
  Vector first;
  for (int k = 0; k <= 40; ++k) {
    motion.at(0.06 * k, z);  // to twice the duration: free motion behind the last key too
    motion.velocity_at(0.06 * k, v);
    const Vector energy = 0.5 * v.cwiseAbs2() + 0.5 * kEigenvalues.cwiseProduct(z.cwiseAbs2());
    if (k == 0) first = energy;
    for (int mode = 0; mode < 4; ++mode) EXPECT_NEAR(energy[mode], first[mode], 1e-9 * first[mode]);
  }
}

TEST(ModalMotion, MeetsItsKeysOnEveryTrajectory) {
  ModalKeys keys = some_keys();
  keys.times.push_back(2);
  keys.z.push_back((Vector(4) << 0.1, 0.2, -0.3, 0.4).finished());
  MotionControls controls;
  controls.damping_ratio = -0.7;
  for (const Trajectory trajectory : {Trajectory::free, Trajectory::wiggly}) {
    for (const bool shifted : {false, true}) {
      if (shifted) controls.rest_shift = 0.8;
      const ModalMotion motion(kEigenvalues, keys, controls, trajectory);
      EXPECT_EQ(motion.wiggly(), trajectory == Trajectory::wiggly);
      for (std::size_t k = 0; k < 3; ++k) {
        Vector z(4);
        motion.at(keys.times[k], z);
        EXPECT_LT((z - keys.z[k]).norm(), 1e-12);
      }
    }
  }
}

TEST(ModalMotion, ShiftedRestTakesTheKickOutOfAMotionThatEndsFarFromRest) {
  ModalKeys keys = some_keys();
  keys.z[0].setZero();
  keys.z[1].setOnes();
  MotionControls controls;
  controls.adjust = false;
  controls.damping_ratio = 0.0;
  Vector start(4), shifted_start(4);
  ModalMotion(kEigenvalues, keys, controls, Trajectory::free).velocity_at(0, start);
  controls.rest_shift = 1.0;
  ModalMotion(kEigenvalues, keys, controls, Trajectory::free).velocity_at(0, shifted_start);
  for (int mode = 1; mode < 4; ++mode) {
    EXPECT_LT(std::abs(shifted_start[mode]), 0.1 * std::abs(start[mode]));
  }
}

TEST(ModalMotion, KeyVelocitiesAreMetByCalmAndWigglyMotionsAndRefusedByFreeOnes) {
  ModalKeys keys = some_keys();
  keys.velocities = {std::nullopt, Vector::Constant(4, 0.7)};
  for (const Trajectory trajectory : {Trajectory::calm, Trajectory::wiggly}) {
    const ModalMotion motion(kEigenvalues, keys, {}, trajectory);
    Vector v(4);
    motion.velocity_at(1.2, v);
    EXPECT_LT((v - Vector::Constant(4, 0.7)).norm(), 1e-9);
  }
  EXPECT_THROW(ModalMotion(kEigenvalues, keys, {}, Trajectory::free), Error);
}

ModalKeys two_keys() {
  ModalKeys keys;
  keys.times = {0, 2};
  keys.z = {Vector::Zero(3), Vector::Zero(3)};
  keys.z[0] << 1, -2, 0.5;
  keys.z[1] << 3, 0, 0.5;
  return keys;
}

TEST(ModalMotion, IsCalmUnlessAskedToSwing) {
  Vector eigenvalues(3);
  eigenvalues << 40, 300, 5000;
  const ModalKeys keys = two_keys();
  const ModalMotion motion(eigenvalues, keys, {}, Trajectory::automatic);
  EXPECT_TRUE(motion.calm());
  Vector z(3);
  motion.at(0.5, z);
  EXPECT_LT((z - (0.75 * keys.z[0] + 0.25 * keys.z[1])).norm(), 1e-14);
  motion.at(7, z);
  EXPECT_LT((z - keys.z[1]).norm(), 1e-14);
  MotionControls controls;
  controls.frequency = 0.0;
  EXPECT_FALSE(ModalMotion(eigenvalues, keys, controls, Trajectory::automatic).calm());
  EXPECT_THROW(ModalMotion(eigenvalues, keys, controls, Trajectory::calm), Error);
}

TEST(ModalMotion, SwingsNoFartherThanToldWhateverTheUnits) {
  Vector eigenvalues(3);
  eigenvalues << 40, 300, 5000;
  MotionControls controls;
  controls.swing = 0.4;
  const ModalKeys keys = two_keys();
  const ModalMotion motion(eigenvalues, keys, controls, Trajectory::automatic);
  const Vector softer = 1e-6 * eigenvalues;
  const ModalMotion same(softer, keys, controls, Trajectory::automatic);
  const ModalMotion calm(eigenvalues, keys, {}, Trajectory::automatic);
  const Vector way = (keys.z[1] - keys.z[0]).cwiseAbs();
  Vector z(3);
  Vector other(3);
  Vector straight(3);
  double farthest = 0;
  for (double t = 0; t <= 2; t += 0.01) {
    motion.at(t, z);
    same.at(t, other);
    calm.at(t, straight);
    EXPECT_LT((z - other).norm(), 1e-9);
    // Between samples a sine may be a hundredth higher.
    for (int mode = 0; mode < 3; ++mode) {
      EXPECT_LE(std::abs(z[mode] - straight[mode]), 0.404 * way[mode] + 1e-12);
    }
    farthest = std::max(farthest, std::abs(z[0] - straight[0]));
  }
  EXPECT_GT(farthest, 0.2 * way[0]);
  motion.at(2, z);
  EXPECT_LT((z - keys.z[1]).norm(), 1e-12);
  controls.swing = -1;
  EXPECT_THROW(ModalMotion(eigenvalues, keys, controls, Trajectory::automatic), Error);
}

TEST(KeyWeights, SumToOneAndMeetTheKeys) {
  const std::vector<double> times{0, 0.3, 1, 1.4};
  const auto at = [&](double t, const std::vector<double>& values) {
    double sum = 0;
    for (const KeyWeight& weight : key_weights(times, t)) sum += weight.weight * values[weight.key];
    return sum;
  };
  for (double t = -0.5; t < 2; t += 0.03) EXPECT_NEAR(at(t, {1, 1, 1, 1}), 1, 1e-15);
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<double> unit(4, 0.0);
    unit[k] = 1;
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(at(times[j], unit), j == k ? 1 : 0, 1e-15);
  }
  // Straight lines stay straight, and the curve has no kink at a key.
  for (double t = 0; t < 1.4; t += 0.1) EXPECT_NEAR(at(t, {0, 0.3, 1, 1.4}), t, 1e-14);
  const std::vector<double> values{0, 2, -1, 3};
  EXPECT_NEAR((at(0.3, values) - at(0.3 - 1e-6, values)) / 1e-6,
              (at(0.3 + 1e-6, values) - at(0.3, values)) / 1e-6, 1e-3);
}

TEST(KeyWeights, BumpIsOneAtItsKeyAndFlatAtItsEnds) {
  EXPECT_EQ(key_bump(0, 0.4, 1, 0.4), 1);
  EXPECT_EQ(key_bump(0, 0.4, 1, 0), 0);
  EXPECT_EQ(key_bump(0, 0.4, 1, 1), 0);
  for (const double t : {0.0, 0.4, 1.0}) {
    const double h = 1e-5;
    EXPECT_NEAR((key_bump(0, 0.4, 1, t + h) - key_bump(0, 0.4, 1, t - h)) / (2 * h), 0, 1e-3);
  }
}

}  // namespace
}  // namespace limber
