#include "limber/interpolate/trajectories/oscillation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

namespace {

/// The least |sin ωT|: amplitudes of a thousand times the end values look like a mistake already.
constexpr double kLeastSine = 1e-3;
/// The most e-foldings between start and end: e³⁰ is 1e13 times the end value, finite and absurd.
constexpr double kMostGrowth = 30;

/// ω moved just off the nearest kπ/T, k ≥ 1, to the side it is on.
double off_resonance(double omega, double T) {
  const double phase = omega * T;
  const double k = std::round(phase / std::numbers::pi);
  if (k < 1) return omega;
  const double offset = phase - k * std::numbers::pi;
  if (std::abs(offset) >= kLeastSine) return omega;
  return (k * std::numbers::pi + std::copysign(kLeastSine, offset)) / T;
}

}  // namespace

double Swing::stiffness() const { return std::max(0.0, kappa + alpha * alpha); }

Oscillation::Oscillation(const Swing& swing, double z0, double zT, double duration)
    : swing_(swing), z0_(z0), zT_(zT), T_(duration) {
  if (swing_.kappa > 0) {
    rate_ = off_resonance(std::sqrt(swing_.kappa), T_);
    if (zT_ != 0) swing_.alpha = std::min(swing_.alpha, kMostGrowth / T_);
    swing_.kappa = rate_ * rate_;
    return;
  }
  rate_ = std::sqrt(-swing_.kappa);
  // The slower of the two decays is what has to be made up for.
  if (zT_ != 0) swing_.alpha = std::min(swing_.alpha, rate_ + kMostGrowth / T_);
}

Oscillation::Pair Oscillation::pair(double t) const {
  const double alpha = swing_.alpha;
  Pair p{};
  if (swing_.kappa > 0) {
    const double scale = 1 / std::sin(rate_ * T_);
    const double down = std::exp(-alpha * t) * scale;
    const double up = std::exp(alpha * (T_ - t)) * scale;
    p.first = down * std::sin(rate_ * (T_ - t));
    p.second = up * std::sin(rate_ * t);
    p.first_slope = -alpha * p.first - rate_ * down * std::cos(rate_ * (T_ - t));
    p.second_slope = -alpha * p.second + rate_ * up * std::cos(rate_ * t);
    return p;
  }
  if (rate_ == 0) {
    const double down = std::exp(-alpha * t) / T_;
    const double up = std::exp(alpha * (T_ - t)) / T_;
    p.first = down * (T_ - t);
    p.second = up * t;
    p.first_slope = -alpha * p.first - down;
    p.second_slope = -alpha * p.second + up;
    return p;
  }
  // e^{−αt} sinh σ(T−t)/sinh σT = e^{−(α+σ)t} (1−e^{−2σ(T−t)})/(1−e^{−2σT}): nothing overflows.
  const double scale = -1 / std::expm1(-2 * rate_ * T_);
  const double down = std::exp(-(alpha + rate_) * t) * scale;
  const double up = std::exp((alpha - rate_) * (T_ - t)) * scale;
  const double left = std::exp(-2 * rate_ * (T_ - t));
  const double right = std::exp(-2 * rate_ * t);
  p.first = -down * std::expm1(-2 * rate_ * (T_ - t));
  p.second = -up * std::expm1(-2 * rate_ * t);
  p.first_slope = -alpha * p.first - rate_ * down * (1 + left);
  p.second_slope = -alpha * p.second + rate_ * up * (1 + right);
  return p;
}

double Oscillation::value(double t) const {
  const Pair p = pair(t);
  // A zero end value has nothing to add, not even zero times infinity.
  return z0_ * p.first + (zT_ == 0 ? 0 : zT_ * p.second);
}

double Oscillation::velocity(double t) const {
  const Pair p = pair(t);
  return z0_ * p.first_slope + (zT_ == 0 ? 0 : zT_ * p.second_slope);
}

}  // namespace limber
