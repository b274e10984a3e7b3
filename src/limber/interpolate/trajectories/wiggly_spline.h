// Splines that wiggle: the curve through key values that obeys a mode's equation of motion as well
// as it can (Kass & Anderson 2008).
//
//   min ∫ (z̈ + 2α ż + λ² z)² dt  under z(t_i) = z_i, and ż(t_i) where given
//
// Symbols: x = (z, ż), A = [0 1; −λ² −2α], E(t) = exp(At), W(t) = ∫₀ᵗ E(s) b bᵀ E(s)ᵀ ds, b = (0,
// 1). From x₀ to x₁ in time T the least integral is dᵀ W(T)⁻¹ d with d = x₁ − E(T) x₀, and the
// curve is x(t) = E(t) x₀ + W(t) E(T−t)ᵀ W(T)⁻¹ d. Velocities left open at the keys follow from a
// tridiagonal system. Nothing here divides by a frequency or a damping: λ = α = 0 is the natural
// cubic spline, two keys are a free oscillation. Velocities of the first and last key are held back
// by a ten-thousandth of their weight in the integral, which keeps them finite at resonance.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "limber/interpolate/trajectories/oscillation.h"

namespace limber {

class WigglySpline {
 public:
  WigglySpline() = default;
  /// Times ascend strictly; one value a time; velocities empty or one a time, open where nullopt.
  WigglySpline(const Swing& swing, std::vector<double> times, const std::vector<double>& values,
               const std::vector<std::optional<double>>& velocities = {});

  /// z and ż. Outside the keys the motion goes on as a free oscillation.
  [[nodiscard]] Eigen::Vector2d at(double t) const;
  /// The integral that is minimised.
  [[nodiscard]] double residual() const;

 private:
  using Vec2 = Eigen::Vector2d;

  Swing swing_;
  std::vector<double> times_;
  std::vector<Vec2> states_;  // at the keys
  std::vector<Vec2> pulls_;   // W(T)⁻¹ d of each interval
  double residual_ = 0;
};

/// E(t) and W(t).
struct Propagator {
  Eigen::Matrix2d E;
  Eigen::Matrix2d W;
};
/// By doubling from a step so small that Taylor series reach rounding. t ≥ 0.
[[nodiscard]] Propagator propagator(const Swing& swing, double t);

}  // namespace limber
