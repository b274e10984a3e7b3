// Oscillators against closed forms, a fine Runge-Kutta solution and each integrator's order.
#include "limber/dynamics/modal/oscillator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "limber/core/error.h"

namespace limber {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

struct State {
  double q, v;
};

StepCoefficients single(double lambda, double b, double h, Integrator integrator,
                        double theta = kTheta) {
  return step_coefficients(Vector::Constant(1, lambda), {b, 0}, h, integrator, theta);
}

State after_step(const StepCoefficients& c, State state, double f) {
  advance(c, &state.q, &state.v, &f);
  return state;
}

/// q̈ = f − b q̇ − λ q over `duration` by classical Runge-Kutta: error ~ (step·|ω|)⁴.
State runge_kutta(double lambda, double b, double duration, State s, double f, int steps) {
  const double h = duration / steps;
  const auto slope = [&](State x) { return State{x.v, f - b * x.v - lambda * x.q}; };
  const auto moved = [](State x, State k, double t) { return State{x.q + t * k.q, x.v + t * k.v}; };
  for (int i = 0; i < steps; ++i) {
    const State k1 = slope(s);
    const State k2 = slope(moved(s, k1, h / 2));
    const State k3 = slope(moved(s, k2, h / 2));
    const State k4 = slope(moved(s, k3, h));
    s.q += h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q);
    s.v += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
  }
  return s;
}

double amplitude(double lambda, State s) { return std::sqrt(s.q * s.q + s.v * s.v / lambda); }

TEST(Oscillator, ExactKeepsTheAmplitudeOverAHundredThousandSteps) {
  // Each step rounds the amplitude by about 2e-16; 1e5 of them add up to 2e-11 at worst.
  for (const double lambda : {1e-4, 1.0, 40.0, 1e4, 1e8}) {
    const StepCoefficients c = single(lambda, 0, 1.0 / 30, Integrator::exact);
    State s{0.3, 0.2 * std::sqrt(lambda)};
    const double start = amplitude(lambda, s);
    for (int i = 0; i < 100000; ++i) s = after_step(c, s, 0);
    EXPECT_NEAR(amplitude(lambda, s) / start, 1, 1e-10) << lambda;
  }
}

TEST(Oscillator, ExactEqualsRungeKuttaInAllThreeRegimes) {
  const double h = 0.1;
  const double lambda = 25;  // critical damping at b = 10
  for (const double b : {0.0, 0.5, 9.0, 9.999, 10 - 1e-9, 10.0, 10 + 1e-9, 10.001, 11.0, 60.0}) {
    const StepCoefficients c = single(lambda, b, h, Integrator::exact);
    const State exact = after_step(c, {0.7, -1.3}, 2.1);
    const State reference = runge_kutta(lambda, b, h, {0.7, -1.3}, 2.1, 4000);
    // Truncation (60 · 0.1/4000)⁴ = 5e-12 for the stiffest, rounding 1e-15 · 4000 steps.
    EXPECT_NEAR(exact.q, reference.q, 2e-12) << b;
    EXPECT_NEAR(exact.v, reference.v, 2e-11) << b;
  }
}

TEST(Oscillator, ExactEqualsRungeKuttaOnSoftAndRigidModes) {
  const double h = 0.05;
  for (const double lambda : {0.0, 1e-18, 1e-9, 1e-3, 99.0, 100.0, 101.0}) {
    for (const double b : {0.0, 1e-12, 1e-3, 1.0, 39.0, 41.0, 200.0}) {
      const StepCoefficients c = single(lambda, b, h, Integrator::exact);
      const State exact = after_step(c, {0.7, -1.3}, 2.1);
      const State reference = runge_kutta(lambda, b, h, {0.7, -1.3}, 2.1, 20000);
      EXPECT_NEAR(exact.q, reference.q, 5e-13) << lambda << ' ' << b;
      EXPECT_NEAR(exact.v, reference.v, 5e-12) << lambda << ' ' << b;
    }
  }
}

TEST(Oscillator, ForceResponseKeepsAllDigitsForTinyStiffness) {
  // P = h²/2 (1 − λh²/12 + …) without damping and (h − (1−e^{−bh})/b)/b without stiffness: a form
  // that cancels would lose every digit here.
  const double h = 1.0 / 60;
  const double undamped = single(1e-12, 0, h, Integrator::exact).qf[0];
  EXPECT_NEAR(undamped / (h * h / 2 * (1 - 1e-12 * h * h / 12)), 1, 4e-16);
  const double b = 500;
  const double rigid = single(0, b, h, Integrator::exact).qf[0];
  EXPECT_NEAR(rigid / ((h + std::expm1(-b * h) / b) / b), 1, 1e-15);
  EXPECT_NEAR(single(0, 0, h, Integrator::exact).qf[0] / (h * h / 2), 1, 4e-16);
}

TEST(Oscillator, CoefficientsAreContinuousAcrossEveryBranch) {
  // Neighbours 1e-9 apart must differ by about 1e-9 wherever the code changes formula: at critical
  // damping, at ωh = ½ and at bh = 2.
  const double h = 0.1;
  const auto close = [&](double lambda, double b, double dlambda, double db) {
    const StepCoefficients x = single(lambda - dlambda, b - db, h, Integrator::exact);
    const StepCoefficients y = single(lambda + dlambda, b + db, h, Integrator::exact);
    EXPECT_NEAR(x.qq[0], y.qq[0], 1e-8);
    EXPECT_NEAR(x.qv[0], y.qv[0], 1e-8 * h);
    EXPECT_NEAR(x.qf[0], y.qf[0], 1e-8 * h * h);
    EXPECT_NEAR(x.vq[0], y.vq[0], 1e-7);
    EXPECT_NEAR(x.vv[0], y.vv[0], 1e-8);
    EXPECT_NEAR(x.vf[0], y.vf[0], 1e-8 * h);
  };
  for (const double lambda : {0.01, 1.0, 25.0, 400.0, 1e4}) {
    close(lambda, 2 * std::sqrt(lambda), 0, 1e-9);
    close(lambda, 2 * std::sqrt(lambda), 1e-9, 0);
  }
  for (const double b : {0.0, 3.0, 10.0, 20.0, 300.0}) close(25, b + 1e-9, 1e-9, 0);
  for (const double lambda : {0.0, 1.0, 24.0}) close(lambda + 1e-9, 20, 0, 1e-9);
}

TEST(Oscillator, ForceResponseIsTheIntegralOfTheImpulseResponse) {
  // qf = ∫₀ʰ H, H being qv as a function of the step. Simpson with 400 intervals: error ~ 1e-11.
  const double h = 0.2;
  for (const double b : {0.0, 4.0, 20.0, 90.0}) {
    for (const double lambda : {0.5, 100.0, 2000.0}) {
      constexpr int kIntervals = 400;
      double integral = 0;
      for (int i = 1; i <= kIntervals; ++i) {
        const double weight = i == kIntervals ? 1 : (i % 2 == 1 ? 4 : 2);
        const double t = h * i / kIntervals;
        integral += weight * single(lambda, b, t, Integrator::exact).qv[0];
      }
      integral *= h / kIntervals / 3;
      EXPECT_NEAR(single(lambda, b, h, Integrator::exact).qf[0], integral, 1e-8 * integral);
    }
  }
}

/// Error at the end of one second under a force that changes every tenth of a second.
double piecewise_error(Integrator integrator, int steps_per_tenth) {
  const double lambda = 30;
  const double b = 0.8;
  State reference{0.1, 0};
  State state = reference;
  const StepCoefficients c = single(lambda, b, 0.1 / steps_per_tenth, integrator);
  for (int tenth = 0; tenth < 10; ++tenth) {
    const double f = tenth % 3 - 0.7;
    reference = after_step(single(lambda, b, 0.1, Integrator::exact), reference, f);
    for (int i = 0; i < steps_per_tenth; ++i) state = after_step(c, state, f);
  }
  return std::hypot(state.q - reference.q, (state.v - reference.v) / std::sqrt(lambda));
}

TEST(Oscillator, IntegratorsConvergeAtTheirOrder) {
  // Halving the step divides the error by 2^order, up to terms of the next order in h: 5 %.
  const auto rate = [](Integrator integrator) {
    return std::log2(piecewise_error(integrator, 64) / piecewise_error(integrator, 128));
  };
  EXPECT_NEAR(rate(Integrator::semi_implicit), 1, 0.05);
  EXPECT_NEAR(rate(Integrator::newmark), 2, 0.05);
  EXPECT_NEAR(rate(Integrator::theta), 1, 0.05);
  EXPECT_LT(piecewise_error(Integrator::exact, 1), 1e-15);
  EXPECT_LT(piecewise_error(Integrator::exact, 64), 1e-13);  // 640 roundings
}

TEST(Oscillator, SemiImplicitIsEquation19AsPrinted) {
  const double h = 1.0 / 30;
  const double k = 55;
  const double c = 1.7;
  const double d = 1 + h * c + h * h * k;
  const double alpha = 1 - h * h * k / d;
  const double beta = h * (1 - (h * c + h * h * k) / d);
  const double gamma = h * h / d;
  const State s{0.4, -2};
  const double f = 3;
  const State next = after_step(single(k, c, h, Integrator::semi_implicit), s, f);
  EXPECT_NEAR(next.q, alpha * s.q + beta * s.v + gamma * f, 1e-15);
  EXPECT_NEAR(next.v, ((alpha - 1) * s.q + beta * s.v + gamma * f) / h, 1e-14);
}

TEST(Oscillator, NewmarkKeepsTheEnergyOfAnUndampedMode) {
  const double lambda = 900;
  const StepCoefficients c = single(lambda, 0, 1.0 / 30, Integrator::newmark);
  State s{1, 0};
  for (int i = 0; i < 10000; ++i) s = after_step(c, s, 0);
  EXPECT_NEAR(amplitude(lambda, s), 1, 1e-11);  // 1e4 roundings of 1e-16
}

void expect_same_step(const StepCoefficients& a, const StepCoefficients& b) {
  for (const auto column : {&StepCoefficients::qq, &StepCoefficients::qv, &StepCoefficients::qf,
                            &StepCoefficients::vq, &StepCoefficients::vv, &StepCoefficients::vf}) {
    EXPECT_NEAR((a.*column)[0], (b.*column)[0], 1e-13 * (1 + std::abs((b.*column)[0])));
  }
}

TEST(Oscillator, ThetaLiesBetweenNewmarkAndEquation19) {
  for (const double lambda : {0.0, 3.0, 900.0, 1e6}) {
    for (const double b : {0.0, 0.7, 80.0}) {
      const double h = 1.0 / 30;
      expect_same_step(single(lambda, b, h, Integrator::theta, 0.5),
                       single(lambda, b, h, Integrator::newmark));
      expect_same_step(single(lambda, b, h, Integrator::theta, 1),
                       single(lambda, b, h, Integrator::semi_implicit));
    }
  }
  for (const double theta : {0.49, 1.01, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(static_cast<void>(single(1, 0, 0.1, Integrator::theta, theta)), Error);
  }
}

TEST(Oscillator, ThetaSolvesItsOwnEquations) {
  const double h = 0.05, lambda = 70, b = 1.3, theta = 0.7, f = -2;
  const State s{0.3, 1.1};
  const State next = after_step(single(lambda, b, h, Integrator::theta, theta), s, f);
  const double q = (1 - theta) * s.q + theta * next.q;
  const double v = (1 - theta) * s.v + theta * next.v;
  EXPECT_NEAR(next.q - s.q, h * v, 1e-15);
  EXPECT_NEAR(next.v - s.v, h * (f - b * v - lambda * q), 1e-14);
}

TEST(Oscillator, ExactIsADigitalFilterOfTwoTaps) {
  // Choi & Ko 2005, footnote 3: q″ = 2 ε cos θ q′ − ε² q + c₀ f′ + c₁ f, with c₀ the response to
  // the last force and c₁ such that a constant force leads to f/λ.
  const double lambda = 130, b = 2.2, h = 0.03;
  const double decay = std::exp(-b * h / 2);
  const double angle = h * std::sqrt(lambda - b * b / 4);
  const StepCoefficients c = single(lambda, b, h, Integrator::exact);
  const double c0 = c.qf[0];
  const double c1 = (1 - 2 * decay * std::cos(angle) + decay * decay) / lambda - c0;
  State s{0.2, -1};
  double q = s.q;
  double f = 0.4;
  s = after_step(c, s, f);
  double next = s.q;
  for (int k = 0; k < 50; ++k) {
    const double force = std::sin(1.7 * k);
    s = after_step(c, s, force);
    const double filtered =
        2 * decay * std::cos(angle) * next - decay * decay * q + c0 * force + c1 * f;
    ASSERT_NEAR(s.q, filtered, 1e-14);
    q = next;
    next = filtered;
    f = force;
  }
}

TEST(Oscillator, FilterTapsLeaveOneForce) {
  // James & Pai 2002: q″ = 2 ε cos θ q′ − ε² q + c f′, with c such that a constant force leads to
  // f/λ; under- and overdamped, where 2 ε cos θ is e^{ω₊h} + e^{ω₋h}.
  const double h = 0.03;
  for (const double lambda : {0.5, 130.0, 1000.0}) {
    for (const double b : {0.0, 2.2, 90.0}) {
      const StepCoefficients c = single(lambda, b, h, Integrator::filter);
      Vector taps;
      set_filter_taps(taps, c, Vector::Constant(1, lambda), h);
      const double root = std::sqrt(std::abs(lambda - b * b / 4)) * h;
      const double decay = std::exp(-b * h / 2);
      const double sum = 2 * decay * (lambda > b * b / 4 ? std::cos(root) : std::cosh(root));
      const double gain = (1 - sum + decay * decay) / lambda;
      State s{0.2, -1};
      double q = s.q, f = 0.4;
      s = after_step(c, s, f);
      for (int k = 0; k < 50; ++k) {
        const double before = s.q;
        const double force = std::sin(1.7 * k);
        s.v += taps[0] * (force - f);
        s = after_step(c, s, force);
        // Rounding of numbers below one, summed by steps that do not grow.
        ASSERT_NEAR(s.q, sum * before - decay * decay * q + gain * force, 1e-14) << lambda << b;
        q = before;
        f = force;
      }
    }
  }
}

TEST(Oscillator, FilterTapsAreHalfAnImpulseAndNoneBeyondARadianAStep) {
  const double h = 0.1;
  const Vector lambda = Vector{{0.0, 1e-9, 99.0, 101.0, 1e4}};
  Vector taps;
  set_filter_taps(taps, step_coefficients(lambda, {}, h, Integrator::filter), lambda, h);
  EXPECT_NEAR(taps[0], h / 2, 1e-16);
  EXPECT_NEAR(taps[1], h / 2, 1e-12);
  EXPECT_NEAR(taps[2], std::tan(std::sqrt(99.0) * h / 2) / std::sqrt(99.0), 1e-15);
  EXPECT_EQ(taps[3], 0);
  EXPECT_EQ(taps[4], 0);
}

TEST(Oscillator, RestUnderAConstantForceIsAFixedPointOfEveryIntegrator) {
  const double f = 3;
  const double lambda = 80;
  for (const Integrator integrator : {Integrator::exact, Integrator::semi_implicit,
                                      Integrator::newmark, Integrator::theta, Integrator::filter}) {
    for (const double b : {0.0, 2.0, 50.0}) {
      const State s = after_step(single(lambda, b, 0.04, integrator), {f / lambda, 0}, f);
      EXPECT_NEAR(s.q, f / lambda, 1e-16);
      EXPECT_NEAR(s.v, 0, 1e-15);
    }
  }
}

TEST(Oscillator, ExtremeModesStayFinite) {
  for (const double lambda : {0.0, 1e-300, 1e-30, 1e20}) {
    for (const double b : {0.0, 1e-300, 1e18}) {
      const State s = after_step(single(lambda, b, 0.01, Integrator::exact), {1, 1}, 1);
      EXPECT_TRUE(std::isfinite(s.q) && std::isfinite(s.v)) << lambda << ' ' << b;
      EXPECT_LE(std::abs(s.q), 2);
    }
  }
}

TEST(Oscillator, EveryModeCountGetsTheSameStep) {
  // Vector lanes and the tail behind them must agree with a mode taken alone; fused products may
  // round differently by an ulp.
  for (int modes = 1; modes <= 40; ++modes) {
    const Vector lambda = Vector::LinSpaced(modes, 3, 900);
    Vector q = Vector::LinSpaced(modes, -1, 2);
    Vector v = Vector::LinSpaced(modes, 5, -4);
    const Vector f = Vector::LinSpaced(modes, 0.3, 7);
    const Vector old_q = q;
    const Vector old_v = v;
    const Damping damping{0.2, 0.003};
    advance(step_coefficients(lambda, damping, 0.02, Integrator::exact), q.data(), v.data(),
            f.data());
    for (int i = 0; i < modes; ++i) {
      const double b = 0.2 + 0.003 * lambda[i];
      const State alone =
          after_step(single(lambda[i], b, 0.02, Integrator::exact), {old_q[i], old_v[i]}, f[i]);
      EXPECT_NEAR(q[i], alone.q, 1e-15);
      EXPECT_NEAR(v[i], alone.v, 4e-15);
    }
  }
}

TEST(Oscillator, FullTurnsBringTheStateBack) {
  const double lambda = 16;
  const StepCoefficients c = single(lambda, 0, 2 * kHalfTurn / 4, Integrator::exact);
  const State s = after_step(c, {0.5, -0.25}, 8);
  EXPECT_NEAR(s.q, 0.5, 1e-15);
  EXPECT_NEAR(s.v, -0.25, 4e-15);
}

TEST(Oscillator, RefusesBadSteps) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double h : {0.0, -0.1, nan, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((void)single(1, 0, h, Integrator::exact), Error);
  }
  EXPECT_THROW((void)single(-1, 0, 0.1, Integrator::exact), Error);
  EXPECT_THROW((void)single(nan, 0, 0.1, Integrator::newmark), Error);
  EXPECT_THROW((void)single(1, -1, 0.1, Integrator::newmark), Error);
  EXPECT_THROW((void)single(1, nan, 0.1, Integrator::newmark), Error);
}

}  // namespace
}  // namespace limber
