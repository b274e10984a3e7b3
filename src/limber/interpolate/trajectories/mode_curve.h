// A number for every mode: one for all, one each, or a curve over the mode index that an artist
// draws with a few points.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "limber/core/types.h"

namespace limber {

class ModeCurve {
 public:
  ModeCurve(double everywhere) : values_{everywhere} {}  // NOLINT: a number is the usual case
  /// One value a mode.
  explicit ModeCurve(std::vector<double> each) : values_(std::move(each)), each_(true) {}
  /// A curve through (mode index, value), indices ascending: C¹, without overshoot between points
  /// (Fritsch & Carlson 1980), constant outside them.
  [[nodiscard]] static ModeCurve spline(std::vector<std::pair<double, double>> points);

  /// The values of `modes` modes. Throws Error when one lies outside [low, high] or is not finite,
  /// when there are not as many as modes, or when a curve's indices do not ascend; `name` is what
  /// the message calls it.
  [[nodiscard]] Vector sample(int modes, double low, double high, const std::string& name) const;

 private:
  std::vector<double> values_;
  bool each_ = false;
  std::vector<std::pair<double, double>> points_;
};

}  // namespace limber
