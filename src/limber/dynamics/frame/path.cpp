#include "limber/dynamics/frame/path.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/core/error.h"

namespace limber {

namespace {

void check(const std::vector<double>& times, const std::vector<Vec3>& points,
           const std::string& where) {
  if (times.empty()) throw Error("there are no keys", where, "give at least one key");
  if (times.size() != points.size()) {
    throw Error(
        std::to_string(times.size()) + " times for " + std::to_string(points.size()) + " points",
        where, "give one time a point");
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k]) || !points[k].allFinite()) {
      throw Error("key " + std::to_string(k) + " is not finite", where, "give finite numbers");
    }
    if (k > 0 && !(times[k] > times[k - 1])) {
      throw Error("key " + std::to_string(k) + " is not later than the key before it", where,
                  "let the times ascend");
    }
  }
}

/// Second derivatives at the keys of the natural cubic spline: for inner keys
///   h₀/6 a_{k−1} + (h₀+h₁)/3 a_k + h₁/6 a_{k+1} = slope₁ − slope₀,
/// zero at both ends; solved by elimination along the keys.
std::vector<Vec3> natural_spline(const std::vector<double>& times,
                                 const std::vector<Vec3>& points) {
  const std::size_t keys = times.size();
  std::vector<Vec3> accelerations(keys, Vec3::Zero());
  std::vector<double> upper(keys, 0.0);
  for (std::size_t k = 1; k + 1 < keys; ++k) {
    const double before = times[k] - times[k - 1];
    const double behind = times[k + 1] - times[k];
    const Vec3 bend = (points[k + 1] - points[k]) / behind - (points[k] - points[k - 1]) / before;
    const double pivot = (before + behind) / 3 - before / 6 * upper[k - 1];
    upper[k] = behind / 6 / pivot;
    accelerations[k] = (bend - before / 6 * accelerations[k - 1]) / pivot;
  }
  for (std::size_t k = keys - 1; k-- > 1;) accelerations[k] -= upper[k] * accelerations[k + 1];
  return accelerations;
}

}  // namespace

Path::Path(std::vector<double> times, std::vector<Vec3> points, Interpolation interpolation,
           const std::string& where)
    : times_(std::move(times)), points_(std::move(points)) {
  check(times_, points_, where);
  accelerations_ = interpolation == Interpolation::smooth
                       ? natural_spline(times_, points_)
                       : std::vector<Vec3>(times_.size(), Vec3::Zero());
  find_jumps(interpolation);
}

void Path::stay_at(const Vec3& point) {
  times_.assign(1, 0.0);
  points_.assign(1, point);
  accelerations_.assign(1, Vec3::Zero());
  jumps_.clear();
}

void Path::archive(StateArchive& state) {
  state.list(times_);
  state.list(points_);
  state.list(accelerations_);
  state.list(jumps_);
}

Path::Sample Path::at(double time) const {
  if (times_.empty()) return {};
  if (time < times_.front()) return {points_.front(), Vec3::Zero(), Vec3::Zero()};
  if (time >= times_.back()) return {points_.back(), Vec3::Zero(), Vec3::Zero()};
  const auto next = std::upper_bound(times_.begin(), times_.end(), time);
  return inside(static_cast<std::size_t>(next - times_.begin()) - 1, time);
}

/// The cubic between keys k and k+1 from its end points and end accelerations; its formulas hold
/// at both ends.
Path::Sample Path::inside(std::size_t k, double time) const {
  const double length = times_[k + 1] - times_[k];
  const double s = (time - times_[k]) / length;
  const double r = 1 - s;
  const Vec3& a = accelerations_[k];
  const Vec3& b = accelerations_[k + 1];
  Sample sample;
  sample.value = r * points_[k] + s * points_[k + 1] +
                 length * length / 6 * ((r * r * r - r) * a + (s * s * s - s) * b);
  sample.velocity = (points_[k + 1] - points_[k]) / length +
                    length / 6 * ((1 - 3 * r * r) * a + (3 * s * s - 1) * b);
  sample.acceleration = r * a + s * b;
  return sample;
}

void Path::find_jumps(Interpolation interpolation) {
  const std::size_t keys = times_.size();
  if (keys < 2) return;
  const Vec3 held = Vec3::Zero();
  for (std::size_t k = 0; k < keys; ++k) {
    const bool end = k == 0 || k + 1 == keys;
    if (!end && interpolation == Interpolation::smooth) continue;
    const Vec3 before = k == 0 ? held : inside(k - 1, times_[k]).velocity;
    const Vec3 behind = k + 1 == keys ? held : inside(k, times_[k]).velocity;
    if (before != behind) jumps_.push_back({times_[k], behind - before});
  }
}

}  // namespace limber
