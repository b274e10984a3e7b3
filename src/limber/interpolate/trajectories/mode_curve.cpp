#include "limber/interpolate/trajectories/mode_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

namespace {

using Points = std::vector<std::pair<double, double>>;

/// Slopes at the points that keep every piece monotone: the harmonic mean of the chords on either
/// side, weighted by their lengths, and none at an extremum.
std::vector<double> monotone_slopes(const Points& points) {
  const std::size_t n = points.size();
  std::vector<double> slopes(n, 0.0);
  const auto chord = [&](std::size_t k) {
    return (points[k + 1].second - points[k].second) / (points[k + 1].first - points[k].first);
  };
  if (n < 2) return slopes;
  slopes.front() = chord(0);
  slopes.back() = chord(n - 2);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double before = chord(k - 1);
    const double behind = chord(k);
    if (before * behind <= 0) continue;
    const double left = points[k].first - points[k - 1].first;
    const double right = points[k + 1].first - points[k].first;
    const double a = 2 * right + left;
    const double b = right + 2 * left;
    slopes[k] = (a + b) / (a / before + b / behind);
  }
  return slopes;
}

double spline_value(const Points& points, const std::vector<double>& slopes, double x) {
  if (x <= points.front().first) return points.front().second;
  if (x >= points.back().first) return points.back().second;
  const auto behind = std::upper_bound(points.begin(), points.end(), x,
                                       [](double at, const auto& p) { return at < p.first; });
  const std::size_t k = static_cast<std::size_t>(behind - points.begin()) - 1;
  const double h = points[k + 1].first - points[k].first;
  const double s = (x - points[k].first) / h;
  const double r = 1 - s;
  return points[k].second * r * r * (1 + 2 * s) + points[k + 1].second * s * s * (1 + 2 * r) +
         h * s * r * (slopes[k] * r - slopes[k + 1] * s);
}

}  // namespace

ModeCurve ModeCurve::spline(Points points) {
  ModeCurve curve(0.0);
  curve.values_.clear();
  curve.points_ = std::move(points);
  return curve;
}

Vector ModeCurve::sample(int modes, double low, double high, const std::string& name) const {
  const auto check = [&](double value) {
    if (value >= low && value <= high) return;
    throw Error(fmt::format("{} is {:g}", name, value), "mode controls",
                fmt::format("keep it from {:g} to {:g}", low, high));
  };
  for (const double value : values_) check(value);
  for (const auto& [index, value] : points_) check(value);
  Vector result(modes);
  if (each_) {
    if (values_.size() != static_cast<std::size_t>(modes)) {
      throw Error(fmt::format("{} has {} values for {} modes", name, values_.size(), modes),
                  "mode controls", "give one number, or one a mode");
    }
    result = Eigen::Map<const Vector>(values_.data(), modes);
    return result;
  }
  if (!values_.empty()) return Vector::Constant(modes, values_.front());
  if (points_.empty()) {
    throw Error(name + " is a curve without points", "mode controls", "give at least one point");
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (!std::isfinite(points_[k].first) || (k > 0 && !(points_[k].first > points_[k - 1].first))) {
      throw Error(name + " is a curve whose mode indices do not ascend", "mode controls",
                  "order its points by mode index, each once");
    }
  }
  const std::vector<double> slopes = monotone_slopes(points_);
  for (int mode = 0; mode < modes; ++mode) {
    result[mode] = std::clamp(spline_value(points_, slopes, mode), low, high);
  }
  return result;
}

}  // namespace limber
