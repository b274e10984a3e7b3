// Cubic curves through key values that never leave the range between two keys.
//
// Between keys k and k+1, T apart: z(s) = h₀ z_k + h₁ z_{k+1} + T (g₀ m_k + g₁ m_{k+1}), s in
// [0, 1], the cubic Hermite polynomials; m_k the slopes. Two keys are joined by a straight line.
// A slope is zero where the secants before and behind point apart, else at most three times the
// shorter of them, which keeps numbers within their keys (Fritsch & Carlson 1980). For vectors and
// fields "apart" is the sign of the inner product, so that no axis of space is preferred.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "limber/core/types.h"

namespace limber {

/// What the two keys around a time count, by value and by slope.
struct HermiteWeights {
  int key = 0;  ///< the first of the two
  double value[2]{1, 0};
  double slope[2]{0, 0};       // s
  double value_rate[2]{0, 0};  // 1/s, derivatives by time
  double slope_rate[2]{0, 0};
};

/// Before the first and behind the last key: its value alone. `times` ascend, at least two.
[[nodiscard]] HermiteWeights hermite_weights(const std::vector<double>& times, double t);

/// The factor of the mean secant (w₀ d₀ + w₁ d₁, each weighed by the other's length of time) that
/// keeps a curve calm: `inner` = d₀·d₁, `before` and `behind` = |d₀|, |d₁|, `mean` its norm.
[[nodiscard]] inline double calm_slope_factor(double inner, double before, double behind,
                                              double mean) {
  if (!(inner > 0) || !(mean > 0)) return 0;
  return std::fmin(1.0, 3 * std::fmin(before, behind) / mean);
}

/// Slopes (1/s) of a curve of numbers, at every key; `given` ones are kept.
[[nodiscard]] std::vector<double> calm_slopes(const std::vector<double>& times,
                                              const std::vector<double>& values,
                                              const std::vector<std::optional<double>>& given);

}  // namespace limber
