#include "limber/dynamics/modal/oscillator.h"

#include <cmath>
#include <string>

#include "limber/core/error.h"

namespace limber {

namespace {

/// The map of one step of one mode; names as in StepCoefficients.
struct ModeStep {
  double qq, qv, qf;
  double vq, vv, vf;
};

/// (1 − e^{−z})/z for z ≥ 0; one at zero.
double decay_mean(double z) { return z > 0 ? -std::expm1(-z) / z : 1; }

double sinc(double x) { return x > 0 ? std::sin(x) / x : 1; }

/// P = ∫₀ʰ H as a power series: P/h² is the divided difference of exp at 0, ω₊h and ω₋h, which is
/// Σ c_k/(k+2)! with c_k the complete symmetric polynomials of ω±h. Real in all three regimes, and
/// h²/2 for a free mode without damping. For ω±h up to 2 in size c_k ≤ (k+1) 2^k, and 26 terms
/// reach rounding.
double response_by_series(double b, double lambda, double h) {
  constexpr int kTerms = 26;
  const double sum = -b * h;              // ω₊h + ω₋h
  const double product = lambda * h * h;  // ω₊h · ω₋h
  double previous = 0;
  double c = 1;
  double inverse_factorial = 0.5;
  double series = 0;
  for (int k = 0; k < kTerms; ++k) {
    series += c * inverse_factorial;
    const double next = sum * c - product * previous;
    previous = c;
    c = next;
    inverse_factorial /= k + 3;
  }
  return h * h * series;
}

/// Hauser et al. 2003, eqs. 5-11, for a force constant over the step. ω± = −b/2 ± √(b²/4 − λ);
/// H = (e^{hω₊} − e^{hω₋})/(ω₊ − ω₋) is the response to a unit impulse at the step's start.
// Deviates: written with sinc, expm1 and sums of equal sign instead of the paper's c1 and c2,
// whose denominators vanish at critical damping.
ModeStep exact_step(double lambda, double b, double h) {
  const double a = b / 2;
  const double root = std::sqrt(lambda);
  const double discriminant = (a - root) * (a + root);
  ModeStep step{};
  double H = 0;
  double slow = 0;  // ω₊ and ω₋ where they are real
  double fast = 0;
  if (discriminant < 0) {
    const double angle = std::sqrt(-discriminant) * h;
    const double decay = std::exp(-a * h);
    H = decay * h * sinc(angle);
    step.qq = decay * std::cos(angle) + a * H;
    step.vv = decay * std::cos(angle) - a * H;
  } else {
    const double s = std::sqrt(discriminant);
    fast = -(a + s);
    slow = fast < 0 ? lambda / fast : 0;  // −a + s without its cancellation
    const double slow_decay = std::exp(slow * h);
    H = slow_decay * h * decay_mean(2 * s * h);
    step.qq = slow_decay - slow * H;
    step.vv = std::exp(fast * h) + slow * H;
  }
  step.qv = H;
  step.vq = -lambda * H;
  step.vf = H;
  if (root * h >= 0.5) {
    step.qf = (1 - step.qq) / lambda;  // qq stays away from one, but for full turns, where P is 0
  } else if (b * h <= 2) {
    step.qf = response_by_series(b, lambda, h);
  } else {
    // Strongly overdamped: ω₊h is small, ω₋h below −1, and nothing cancels between them.
    step.qf = h * (decay_mean(-slow * h) - decay_mean(-fast * h)) / (slow - fast);
  }
  return step;
}

/// Choi & Ko 2005, eq. 19, with α = (1+hb)/d, β = h/d, γ = h²/d and α − 1 = −h²λ/d written out.
ModeStep semi_implicit_step(double lambda, double b, double h) {
  const double d = 1 + h * b + h * h * lambda;
  return {(1 + h * b) / d, h / d, h * h / d, -h * lambda / d, 1 / d, h / d};
}

/// q' = q + h/2 (q̇ + q̇'), q̇' = q̇ + h/2 (q̈ + q̈') solved for the new state.
ModeStep newmark_step(double lambda, double b, double h) {
  const double stiffness = h * h * lambda / 4;
  const double d = 1 + h * b / 2 + stiffness;
  return {(1 + h * b / 2 - stiffness) / d, h / d, h * h / (2 * d), -h * lambda / d,
          (1 - h * b / 2 - stiffness) / d, h / d};
}

/// q' = q + h q̇_θ, q̇' = q̇ + h (f − b q̇_θ − λ q_θ) with x_θ = (1−θ) x + θ x', solved for the new
/// state: Choi & Ko 2005, footnote 3.
ModeStep theta_step(double lambda, double b, double h, double theta) {
  const double rest = 1 - theta;
  const double d = 1 + h * theta * b + h * h * theta * theta * lambda;
  const double vv = (1 - h * rest * b - h * h * theta * rest * lambda) / d;
  const double qq = (1 + h * theta * b - h * h * theta * rest * lambda) / d;
  return {qq, h * (rest + theta * vv), h * h * theta / d, -h * lambda / d, vv, h / d};
}

ModeStep mode_step(Integrator integrator, double theta, double lambda, double b, double h) {
  switch (integrator) {
    case Integrator::semi_implicit:
      return semi_implicit_step(lambda, b, h);
    case Integrator::newmark:
      return newmark_step(lambda, b, h);
    case Integrator::theta:
      return theta_step(lambda, b, h, theta);
    case Integrator::exact:
    case Integrator::filter:  // but for the force: set_filter_taps()
      break;
  }
  return exact_step(lambda, b, h);
}

void check(const Eigen::Ref<const Vector>& eigenvalues, const Damping& damping, double h,
           double theta) {
  if (!(theta >= 0.5 && theta <= 1)) {
    throw Error("theta is " + std::to_string(theta), "integrator",
                "give a number from 0.5 (keeps the energy) to 1 (damps most)");
  }
  if (!(h > 0) || !std::isfinite(h)) {
    throw Error("the time step is " + std::to_string(h) + " s", "time_step",
                "give a positive number of seconds");
  }
  const bool mass_valid = damping.mass >= 0 && std::isfinite(damping.mass);
  const bool stiffness_valid = damping.stiffness >= 0 && std::isfinite(damping.stiffness);
  if (!mass_valid || !stiffness_valid) {
    throw Error("damping is negative or not finite", "damping", "give numbers from zero up");
  }
  for (Eigen::Index i = 0; i < eigenvalues.size(); ++i) {
    if (!(eigenvalues[i] >= 0) || !std::isfinite(eigenvalues[i])) {
      throw Error("eigenvalue " + std::to_string(i) + " is " + std::to_string(eigenvalues[i]),
                  "body", "bake the body again");
    }
  }
}

}  // namespace

void set_step_coefficients(StepCoefficients& coefficients,
                           const Eigen::Ref<const Vector>& eigenvalues, const Damping& damping,
                           double h, Integrator integrator, double theta) {
  check(eigenvalues, damping, h, theta);
  const Eigen::Index modes = eigenvalues.size();
  for (Vector* column : {&coefficients.qq, &coefficients.qv, &coefficients.qf, &coefficients.vq,
                         &coefficients.vv, &coefficients.vf}) {
    column->resize(modes);
  }
  for (Eigen::Index i = 0; i < modes; ++i) {
    const double b = damping.mass + damping.stiffness * eigenvalues[i];
    const ModeStep step = mode_step(integrator, theta, eigenvalues[i], b, h);
    coefficients.qq[i] = step.qq;
    coefficients.qv[i] = step.qv;
    coefficients.qf[i] = step.qf;
    coefficients.vq[i] = step.vq;
    coefficients.vv[i] = step.vv;
    coefficients.vf[i] = step.vf;
  }
}

void set_filter_taps(Vector& taps, const StepCoefficients& exact,
                     const Eigen::Ref<const Vector>& eigenvalues, double h) {
  taps.resize(eigenvalues.size());
  for (Eigen::Index i = 0; i < taps.size(); ++i) {
    const bool resolved = eigenvalues[i] * h * h <= 1;
    taps[i] = resolved ? exact.vf[i] - exact.vv[i] * exact.qf[i] / exact.qv[i] : 0;
  }
}

StepCoefficients step_coefficients(const Eigen::Ref<const Vector>& eigenvalues,
                                   const Damping& damping, double h, Integrator integrator,
                                   double theta) {
  StepCoefficients coefficients;
  set_step_coefficients(coefficients, eigenvalues, damping, h, integrator, theta);
  return coefficients;
}

}  // namespace limber
