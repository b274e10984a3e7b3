// Trajectories of single modes: the equation of motion, end values, limits, eq. 15.
#include "limber/interpolate/trajectories/oscillation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "limber/interpolate/trajectories/adjust_swing.h"
#include "support/poses.h"

namespace limber {
namespace {

/// Undamped, weakly and strongly underdamped, critical, overdamped, and without stiffness.
std::vector<Swing> many_swings() {
  return {Swing::of(7, 0), Swing::of(7, 0.3), Swing::of(7, 6.9), Swing::of(7, 7),
          Swing::of(7, 9), Swing::of(0.5, 9), Swing::of(0, 2),   Swing::of(0, 0)};
}

TEST(Oscillation, ObeysItsEquationOfMotionAndItsEndValues) {
  const double T = 1.3;
  for (const Swing& swing : many_swings()) {
    const Oscillation z(swing, 0.8, -0.5, T);
    EXPECT_NEAR(z.value(0), 0.8, 1e-14);
    EXPECT_NEAR(z.value(T), -0.5, 1e-14);
    for (const double t : {0.01, 0.4, 0.9, 1.29}) {
      // Central differences of step 1e-4: truncation λ⁴z h²/12 < 1e-5, rounding ε z/h² < 1e-7; the
      // motion of a strongly damped mode is up to e^{αT} = 1e5 times its end values.
      const double h = 1e-4;
      const double size = 1 + std::abs(z.value(t)) + std::abs(z.velocity(t));
      const double slope = (z.value(t + h) - z.value(t - h)) / (2 * h);
      const double bend = (z.velocity(t + h) - z.velocity(t - h)) / (2 * h);
      EXPECT_NEAR(slope, z.velocity(t), 1e-5 * size);
      EXPECT_NEAR(bend + 2 * swing.alpha * z.velocity(t) + swing.stiffness() * z.value(t), 0,
                  1e-4 * size);
    }
  }
}

TEST(Oscillation, IsContinuousThroughCriticalDamping) {
  for (const double t : {0.0, 0.3, 0.8, 1.0}) {
    const double critical = Oscillation(Swing::of(5, 5), 1, 0.4, 1).value(t);
    for (const double gap : {1e-4, -1e-4, 1e-7, -1e-7}) {
      const Oscillation near({gap * gap * (gap > 0 ? 1 : -1), 5}, 1, 0.4, 1);
      EXPECT_NEAR(near.value(t), critical, 1e-6) << "gap " << gap;
    }
  }
}

TEST(Oscillation, UndampedMotionKeepsItsEnergy) {
  for (const double lambda : {0.1, 3.0, 40.0, 900.0}) {
    const Oscillation z(Swing::of(lambda, 0), 0.7, -0.2, 1.7);
    const auto energy = [&](double t) {
      return 0.5 * z.velocity(t) * z.velocity(t) + 0.5 * lambda * lambda * z.value(t) * z.value(t);
    };
    const double first = energy(0);
    for (int k = 1; k <= 50; ++k) EXPECT_NEAR(energy(1.7 * k / 50), first, 1e-9 * first);
  }
}

TEST(Oscillation, WithoutStiffnessAndDampingItIsAStraightLine) {
  const Oscillation z(Swing::of(0, 0), 2, 5, 3);
  for (const double t : {0.0, 0.5, 1.0, 3.0}) EXPECT_NEAR(z.value(t), 2 + t, 1e-14);
}

TEST(Oscillation, WithoutStiffnessItNeverOvershoots) {
  for (const double alpha : {0.0, 0.5, 20.0}) {
    const Oscillation z(Swing::of(0, alpha), 2, 5, 1);
    double last = 2;
    for (int k = 1; k <= 100; ++k) {
      const double now = z.value(k / 100.0);
      EXPECT_GE(now, last - 1e-12);
      EXPECT_LE(now, 5 + 1e-12);
      last = now;
    }
  }
}

TEST(Oscillation, StaysFiniteAtResonanceAndUnderAnyDamping) {
  for (const double lambda : {0.0, 1e-200, kPi, 2 * kPi, 100 * kPi, 1e5}) {
    for (const double alpha : {0.0, 1e-3, 1.0, 1e3, 1e8}) {
      for (const double zT : {0.0, 1.0}) {
        const Oscillation z(Swing::of(lambda, alpha), 1, zT, 1);
        for (const double t : {0.0, 0.1, 0.5, 1.0}) {
          EXPECT_TRUE(std::isfinite(z.value(t))) << lambda << ' ' << alpha << ' ' << t;
          EXPECT_TRUE(std::isfinite(z.velocity(t)));
        }
        EXPECT_NEAR(z.value(0), 1, 1e-9);
        EXPECT_NEAR(z.value(1), zT, 1e-9);
      }
    }
  }
}

TEST(AdjustedSwing, IsAMinimumOfItsCostInItsInterval) {
  const AdjustmentWeights weights;
  for (const double lambda : {0.8, 2.0, 9.0, 33.0, 250.0}) {
    for (const double ratio : {0.0, 0.05, 0.6, 1.0, 1.8}) {
      for (const double zT : {-0.9, 0.0, 0.3, 1.5}) {
        const double T = 1.1;
        const Swing wanted = Swing::of(lambda, ratio * lambda);
        const Swing found = adjusted_swing(wanted, 1, zT, T, weights);
        const double least = adjustment_cost(found, wanted, 1, zT, T, weights);
        ASSERT_TRUE(std::isfinite(least));
        EXPECT_GE(found.alpha, 0);
        // Nothing on a grid over the interval is lower, but for the last steps near ω = 0, where
        // the cost is flat and Gauss-Newton slow.
        const double k = found.kappa > 0 ? std::floor(std::sqrt(found.kappa) * T / kPi) : 0;
        for (int i = 1; i < 60; ++i) {
          for (int j = 0; j < 60; ++j) {
            const double omega = (k + i / 60.0) * kPi / T;
            const double alpha = j / 59.0 * std::min(wanted.alpha + 2, 20.0);
            const double cost = adjustment_cost({omega * omega, alpha}, wanted, 1, zT, T, weights);
            EXPECT_GE(cost, least * (1 - 1e-4))
                << "lambda " << lambda << " ratio " << ratio << " zT " << zT;
          }
        }
      }
    }
  }
}

TEST(AdjustedSwing, StaysBetweenTheBarriersOfItsFrequency) {
  const double T = 1;
  for (const double phase : {0.3, 1.7, 4.4, 7.5, 30.5}) {
    const Swing wanted = Swing::of(phase * kPi, 0.5);
    const double omega = std::sqrt(wanted.kappa);
    const Swing found = adjusted_swing(wanted, 0.2, 1, T, {});
    EXPECT_EQ(std::floor(std::sqrt(found.kappa) * T / kPi), std::floor(omega * T / kPi));
  }
}

TEST(AdjustedSwing, LeavesABarrierForTheBetterSide) {
  const AdjustmentWeights weights;
  const double T = 1;
  for (const double offset : {-1e-9, 0.0, 1e-9}) {
    const Swing wanted{std::pow(5 * kPi + offset, 2), 0.3};
    const Swing found = adjusted_swing(wanted, 1, 0.4, T, weights);
    EXPECT_GT(std::abs(std::sin(std::sqrt(found.kappa) * T)), 0.1);
    EXPECT_LT(std::abs(std::sqrt(found.kappa) - 5 * kPi), kPi);
    // The side that the sign of the end values asks for: whatever the offset.
    EXPECT_NEAR(found.kappa, adjusted_swing({std::pow(5 * kPi, 2), 0.3}, 1, 0.4, T, weights).kappa,
                1e-4);
  }
}

TEST(AdjustedSwing, LowersTheInitialVelocityAndDoesNotDependOnScale) {
  const double T = 0.9;
  for (const double lambda : {3.4, 11.0, 60.0}) {
    const Swing wanted = Swing::of(lambda, 0.1 * lambda);
    const Swing found = adjusted_swing(wanted, 1, 0.5, T, {});
    EXPECT_LT(std::abs(Oscillation(found, 1, 0.5, T).velocity(0)),
              std::abs(Oscillation(wanted, 1, 0.5, T).velocity(0)));
    const Swing scaled = adjusted_swing(wanted, 1e-6, 0.5e-6, T, {});
    EXPECT_NEAR(scaled.kappa, found.kappa, 1e-9 * std::abs(found.kappa));
    EXPECT_NEAR(scaled.alpha, found.alpha, 1e-9 * (1 + found.alpha));
  }
}

TEST(AdjustedSwing, LeavesWhatNeedsNoChange) {
  const Swing wanted = Swing::of(5, 1);
  const Swing still = adjusted_swing(wanted, 0, 0, 1, {});
  EXPECT_EQ(still.kappa, wanted.kappa);
  AdjustmentWeights none;
  none.velocity = 0;
  EXPECT_EQ(adjusted_swing(wanted, 1, 2, 1, none).kappa, wanted.kappa);
  EXPECT_EQ(adjusted_swing(Swing::of(0, 0), 1, 2, 1, {}).kappa, 0);
  // At ωT = 3π/2 an undamped mode leaves its turning point for zero: nothing to improve.
  const Swing turning{1.5 * 1.5 * kPi * kPi, 0};
  const Swing found = adjusted_swing(turning, 1, 0, 1, {});
  EXPECT_NEAR(found.kappa, turning.kappa, 1e-6);
  EXPECT_NEAR(found.alpha, 0, 1e-6);
}

}  // namespace
}  // namespace limber
