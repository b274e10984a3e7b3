#include "limber/interpolate/trajectories/motion_controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "limber/core/error.h"

namespace limber {

namespace {

constexpr double kMostFrequencyFactor = 1e6;

void check_positive(double value, const char* name) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error(fmt::format("{} is {:g}", name, value), "motion controls", "give a positive number");
}

void check_not_negative(double value, const char* name) {
  if (value >= 0 && std::isfinite(value)) return;
  throw Error(fmt::format("{} is {:g}", name, value), "motion controls", "give zero or more");
}

/// exp(η/(1−|η|)): 0 at η = −1.
double frequency_factor(double eta) {
  if (eta <= -1) return 0;
  if (eta >= 1) return kMostFrequencyFactor;
  return std::min(kMostFrequencyFactor, std::exp(eta / (1 - std::abs(eta))));
}

Vector sampled(const std::optional<ModeCurve>& curve, double otherwise, int modes, double low,
               double high, const char* name) {
  return curve.value_or(otherwise).sample(modes, low, high, name);
}

}  // namespace

bool MotionControls::ask_to_swing() const {
  if (swing) return *swing > 0;
  const bool curves = frequency || damping_ratio || velocity_weight || frequency_weight ||
                      damping_weight || rest_shift;
  const bool numbers =
      stiffness_scale != 1 || mass_scale != 1 || damping.mass != 0 || damping.stiffness != 0;
  return curves || numbers || !adjust;
}

MotionControls controls_for_swing(MotionControls controls, const Vector& eigenvalues,
                                  double interval) {
  // Three quarters of a swing: released at one pose the slowest mode passes the next, comes back
  // and goes through it again.
  constexpr double kSwings = 0.75;
  // A tenth of critical: after a second swing half is left.
  constexpr double kDampingRatio = -0.8;
  if (!(*controls.swing >= 0) || !std::isfinite(*controls.swing)) {
    throw Error(fmt::format("a swing of {:g}", *controls.swing), "motion controls",
                "give zero or more");
  }
  const double slowest = 2 * std::numbers::pi * kSwings / interval;
  controls.stiffness_scale *= slowest * slowest / eigenvalues.minCoeff();
  const bool damped = controls.damping.mass > 0 || controls.damping.stiffness > 0;
  if (!controls.damping_ratio && !damped) controls.damping_ratio = kDampingRatio;
  return controls;
}

std::vector<Swing> wanted_swings(const Vector& eigenvalues, const MotionControls& controls) {
  check_positive(controls.stiffness_scale, "the stiffness scale");
  check_positive(controls.mass_scale, "the mass scale");
  check_not_negative(controls.damping.mass, "mass damping");
  check_not_negative(controls.damping.stiffness, "stiffness damping");
  if (controls.rest_shift && !(*controls.rest_shift >= 0 && *controls.rest_shift <= 1)) {
    throw Error(fmt::format("the rest shift is {:g}", *controls.rest_shift), "motion controls",
                "keep it from 0 to 1");
  }
  const int modes = static_cast<int>(eigenvalues.size());
  const Vector eta = sampled(controls.frequency, 0, modes, -1, 1, "frequency");
  Vector mu;
  if (controls.damping_ratio) mu = controls.damping_ratio->sample(modes, -1, 1, "damping");
  std::vector<Swing> swings;
  for (int mode = 0; mode < modes; ++mode) {
    const double scale = controls.stiffness_scale / controls.mass_scale;
    const double lambda2 = eigenvalues[mode] * scale * frequency_factor(eta[mode]);
    const double lambda = std::sqrt(lambda2);
    // Deviates: λ is a frequency in the paper, so its √λ_i(μ+1)/2 is λ(μ+1)/2 (with η applied).
    const double alpha = controls.damping_ratio
                             ? lambda * (mu[mode] + 1) / 2
                             : (controls.damping.mass + controls.damping.stiffness * lambda2) / 2;
    swings.push_back(Swing::of(lambda, alpha));
  }
  return swings;
}

std::vector<AdjustmentWeights> adjustment_weights(int modes, const MotionControls& controls) {
  const double infinity = std::numeric_limits<double>::max();
  const Vector velocity =
      sampled(controls.velocity_weight, 0.5, modes, 0, infinity, "velocity weight");
  const Vector frequency =
      sampled(controls.frequency_weight, 0.25, modes, 0, infinity, "frequency weight");
  const Vector damping =
      sampled(controls.damping_weight, 0.25, modes, 0, infinity, "damping weight");
  std::vector<AdjustmentWeights> weights(modes);
  for (int mode = 0; mode < modes; ++mode) {
    weights[mode] = {controls.adjust ? velocity[mode] : 0, frequency[mode], damping[mode]};
  }
  return weights;
}

}  // namespace limber
