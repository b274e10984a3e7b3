// Wiggly splines against cubic splines, free oscillations and a direct minimisation.
#include "limber/interpolate/trajectories/wiggly_spline.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "limber/interpolate/trajectories/calm_spline.h"

namespace limber {
namespace {

std::vector<Swing> some_swings() {
  return {Swing::of(7, 0),  Swing::of(7, 0.3), Swing::of(30, 2), Swing::of(7, 7),
          Swing::of(7, 20), Swing::of(0, 2),   Swing::of(0, 0)};
}

/// ∫ (z̈ + 2α ż + λ² z)² dt by Simpson's rule, derivatives from the spline's own velocities.
double integral(const Swing& swing, const WigglySpline& spline, double from, double to) {
  const int steps = 2000;
  const double h = (to - from) / steps;
  const double delta = 1e-5;
  double sum = 0;
  for (int k = 0; k <= steps; ++k) {
    // Stay inside the interval, where the curve is smooth.
    const double t = std::min(std::max(from + k * h, from + 2 * delta), to - 2 * delta);
    const double bend = (spline.at(t + delta)[1] - spline.at(t - delta)[1]) / (2 * delta);
    const Eigen::Vector2d x = spline.at(t);
    const double f = bend + 2 * swing.alpha * x[1] + swing.stiffness() * x[0];
    sum += f * f * (k == 0 || k == steps ? 1 : k % 2 == 1 ? 4 : 2);
  }
  return sum * h / 3;
}

TEST(Propagator, EqualsTheClosedForms) {
  for (const double t : {1e-3, 0.4, 3.0}) {
    // Undamped: E = [cos, sin/λ; −λ sin, cos], W = ∫ of the last column's products.
    const double l = 9;
    const Propagator p = propagator(Swing::of(l, 0), t);
    EXPECT_NEAR(p.E(0, 0), std::cos(l * t), 1e-13);
    EXPECT_NEAR(p.E(0, 1), std::sin(l * t) / l, 1e-14);
    EXPECT_NEAR(p.E(1, 0), -l * std::sin(l * t), 1e-12);
    EXPECT_NEAR(p.W(0, 0), (t / 2 - std::sin(2 * l * t) / (4 * l)) / (l * l), 1e-14);
    EXPECT_NEAR(p.W(0, 1), std::pow(std::sin(l * t) / l, 2) / 2, 1e-14);
    EXPECT_NEAR(p.W(1, 1), t / 2 + std::sin(2 * l * t) / (4 * l), 1e-13);
    // Nothing but inertia: W = [t³/3 t²/2; t²/2 t].
    const Propagator free = propagator(Swing::of(0, 0), t);
    EXPECT_NEAR(free.W(0, 0), t * t * t / 3, 1e-15);
    EXPECT_NEAR(free.W(0, 1), t * t / 2, 1e-15);
    EXPECT_NEAR(free.W(1, 1), t, 1e-15);
    // Friction alone.
    const Propagator slow = propagator(Swing::of(0, 2), t);
    EXPECT_NEAR(slow.E(1, 1), std::exp(-4 * t), 1e-14);
    EXPECT_NEAR(slow.E(0, 1), (1 - std::exp(-4 * t)) / 4, 1e-14);
  }
}

TEST(WigglySpline, PassesThroughItsKeysWithContinuousVelocity) {
  const std::vector<double> times{0, 0.25, 0.75, 1};
  const std::vector<double> values{0, 1, -0.6, 0};
  for (const Swing& swing : some_swings()) {
    const WigglySpline spline(swing, times, values);
    for (std::size_t k = 0; k < times.size(); ++k) {
      EXPECT_NEAR(spline.at(times[k])[0], values[k], 1e-12);
      if (k == 0 || k == 3) continue;
      const Eigen::Vector2d before = spline.at(times[k] - 1e-7);
      const Eigen::Vector2d behind = spline.at(times[k] + 1e-7);
      // Accelerations are below 1e4 here: 1e4·2e-7.
      EXPECT_NEAR(before[1], behind[1], 2e-3);
      EXPECT_NEAR(before[0], values[k], 1e-5);
    }
    // Velocities are the derivative of the values.
    for (const double t : {0.1, 0.5, 0.9}) {
      const double slope = (spline.at(t + 1e-5)[0] - spline.at(t - 1e-5)[0]) / 2e-5;
      EXPECT_NEAR(slope, spline.at(t)[1], 1e-4 * (1 + std::abs(slope)));
    }
  }
}

TEST(WigglySpline, WithoutStiffnessAndDampingIsTheNaturalCubicSpline) {
  // Keys 0, 1, 0 at 0, 1, 2: z = 1.5 t − 0.5 t³ on the first half.
  const WigglySpline spline(Swing::of(0, 0), {0, 1, 2}, {0, 1, 0});
  for (const double t : {0.2, 0.5, 0.9}) {
    // End velocities are held back by 1e-4 of their weight.
    EXPECT_NEAR(spline.at(t)[0], 1.5 * t - 0.5 * t * t * t, 1e-3);
    EXPECT_NEAR(spline.at(2 - t)[0], spline.at(t)[0], 1e-12);
  }
}

TEST(WigglySpline, TwoKeysGiveAFreeOscillation) {
  for (const Swing& swing : {Swing::of(7, 0), Swing::of(7, 0.5), Swing::of(3, 4)}) {
    const WigglySpline spline(swing, {0, 1.3}, {0.8, -0.5});
    const Oscillation free(swing, 0.8, -0.5, 1.3);
    for (const double t : {0.1, 0.6, 1.2}) {
      // The end velocities' 1e-4, times what damping takes off their effect: e^{2·1.35·1.3} = 33,
      // and off that of the faster decay still more.
      EXPECT_NEAR(spline.at(t)[0], free.value(t), 0.02 * (1 + std::abs(free.value(t))));
    }
  }
}

TEST(WigglySpline, ReportsItsIntegral) {
  const std::vector<double> times{0, 0.4, 1};
  for (const Swing& swing : {Swing::of(5, 0.2), Swing::of(0, 0), Swing::of(2, 4)}) {
    const WigglySpline spline(swing, times, {0.3, 1, -1});
    const double sum = integral(swing, spline, 0, 0.4) + integral(swing, spline, 0.4, 1);
    // Differences with a step of 1e-5 and the cut-off ends leave 1e-4.
    EXPECT_NEAR(sum, spline.residual(), 1e-3 * spline.residual());
  }
}

TEST(WigglySpline, NoOtherCurveThroughTheKeysHasALowerIntegral) {
  const std::vector<double> times{0, 0.3, 1};
  const std::vector<double> values{0, 1, 0.2};
  for (const Swing& swing : some_swings()) {
    const double least = WigglySpline(swing, times, values).residual();
    for (const double change : {-0.5, 0.5}) {
      for (int key = 0; key < 3; ++key) {
        const WigglySpline best(swing, times, values);
        std::vector<std::optional<double>> velocities(3);
        velocities[key] = best.at(times[key])[1] + change;
        const WigglySpline other(swing, times, values, velocities);
        EXPECT_NEAR(other.at(times[key])[1], *velocities[key], 1e-9);
        // Up to the hold on the end velocities.
        EXPECT_GT(other.residual(), least * (1 - 1e-3));
      }
    }
  }
}

TEST(WigglySpline, StaysTameAtResonanceAndForStiffModes) {
  for (const double lambda : {M_PI, 2 * M_PI, 1e4}) {
    for (const double alpha : {0.0, 1.0, 1e5}) {
      const WigglySpline spline(Swing::of(lambda, alpha), {0, 1, 2}, {0, 1, 0.5});
      for (double t = 0; t <= 2; t += 0.05) {
        ASSERT_TRUE(spline.at(t).allFinite());
        // √1e4: what the hold on the end velocities allows.
        EXPECT_LT(std::abs(spline.at(t)[0]), 100) << lambda << ' ' << alpha << ' ' << t;
      }
    }
  }
}

TEST(WigglySpline, SwingsOnFreelyBehindTheLastKey) {
  const Swing swing = Swing::of(6, 0.8);
  const WigglySpline spline(swing, {0, 1}, {1, 0.5});
  const Eigen::Vector2d end = spline.at(1);
  EXPECT_LT((spline.at(1.7) - propagator(swing, 0.7).E * end).norm(), 1e-13);
  EXPECT_LT(std::abs(spline.at(20)[0]), 1e-5);
}

TEST(CalmSpline, PassesItsKeysAndLeavesResonance) {
  const std::vector<double> times{0, 1, 2};
  const std::vector<double> values{0.2, 1, 0.5};
  const double resonance = 2 * std::numbers::pi;
  for (const double lambda : {0.5, 3.0, 1.001 * resonance, 12.0}) {
    for (const double ratio : {0.0, 0.3, 1.0}) {
      const Swing wanted = Swing::of(lambda, ratio * lambda);
      const CalmSpline calm = calm_spline(wanted, times, values, {}, {});
      const WigglySpline wild(wanted, times, values);
      double calm_peak = 0;
      double wild_peak = 0;
      for (int k = 0; k <= 400; ++k) {
        calm_peak = std::max(calm_peak, std::abs(calm.spline.at(0.005 * k)[0]));
        wild_peak = std::max(wild_peak, std::abs(wild.at(0.005 * k)[0]));
      }
      for (std::size_t k = 0; k < times.size(); ++k) {
        EXPECT_NEAR(calm.spline.at(times[k])[0], values[k], 1e-9);
      }
      // Half way between resonances an undamped swing through ±1 has amplitude √2 at most; three
      // keys that do not fit one swing add a little.
      EXPECT_LT(calm_peak, std::min(2.0, wild_peak + 1)) << lambda << ' ' << ratio;
      EXPECT_LE(std::abs(std::sqrt(calm.swing.stiffness()) - lambda),
                0.5 * std::numbers::pi + 1e-9);
    }
  }
}

TEST(CalmSpline, LeavesModesAloneThatDoNotSwingOrMayNotChange) {
  const std::vector<double> times{0, 1, 2};
  const Swing still = Swing::of(0, 0);
  EXPECT_EQ(calm_spline(still, times, {0, 1, 0}, {}, {}).swing.kappa, 0);
  const Swing swing = Swing::of(6.28, 1);
  EXPECT_EQ(calm_spline(swing, times, {0, 0, 0}, {}, {}).swing.kappa, swing.kappa);
  EXPECT_EQ(calm_spline(swing, times, {0, 1, 0}, {}, {0, 1, 1}).swing.kappa, swing.kappa);
}

}  // namespace
}  // namespace limber
