#include "limber/interpolate/poses/pose_tools.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

Vec3 direction(const Vec3& vector, const char* what, const char* where) {
  const double length = vector.norm();
  if (!std::isfinite(length) || length == 0) {
    throw Error(fmt::format("{} has no direction", what), where, "give a vector with a length");
  }
  return vector / length;
}

void check_range(double from, double to, double angle, const char* where) {
  if (!std::isfinite(from) || !std::isfinite(to) || !(from < to)) {
    throw Error(fmt::format("the range {:g} to {:g} is empty", from, to), where,
                "give two places along the axis, the lower first");
  }
  if (!std::isfinite(angle)) throw Error("the angle is not finite", where, "give it in radians");
}

/// sin θ/θ and (1−cos θ)/θ, smooth through zero.
struct ArcShape {
  double sine;
  double versine;
};
ArcShape arc_shape(double theta) {
  if (std::abs(theta) < 1e-4) return {1 - theta * theta / 6, theta / 2};  // next: θ⁴/120, θ³/24
  const double half = std::sin(theta / 2);
  return {std::sin(theta) / theta, 2 * half * half / theta};
}

}  // namespace

Positions bend(const Positions& positions, const Bend& options) {
  check_range(options.from, options.to, options.angle, "bend");
  const Vec3 axis = direction(options.axis, "the axis", "bend");
  const Vec3 across = options.towards - options.towards.dot(axis) * axis;
  // Against rounding: `towards` along the axis leaves a few ulp across it.
  if (!(across.norm() > 1e-9 * options.towards.norm())) {
    throw Error("the bend is towards its own axis", "bend", "give a direction across the axis");
  }
  const Vec3 towards = across.normalized();
  const double length = options.to - options.from;
  Positions result(positions.rows(), 3);
  for (Eigen::Index node = 0; node < positions.rows(); ++node) {
    const Vec3 x = positions.row(node).transpose() - options.origin;
    const double s = x.dot(axis);
    const double h = x.dot(towards);
    const double inside = std::clamp(s - options.from, 0.0, length);
    const double beyond = s - options.from - inside;
    const double theta = options.angle * inside / length;
    const ArcShape arc = arc_shape(theta);
    // A point of the axis at arc length `inside`, its tangent and its normal.
    const Vec3 on_axis = (options.from + inside * arc.sine) * axis + inside * arc.versine * towards;
    const Vec3 tangent = std::cos(theta) * axis + std::sin(theta) * towards;
    const Vec3 normal = std::cos(theta) * towards - std::sin(theta) * axis;
    const Vec3 aside = x - s * axis - h * towards;
    result.row(node) =
        (options.origin + on_axis + beyond * tangent + h * normal + aside).transpose();
  }
  return result;
}

Positions twist(const Positions& positions, const Twist& options) {
  check_range(options.from, options.to, options.angle, "twist");
  const Vec3 axis = direction(options.axis, "the axis", "twist");
  Positions result(positions.rows(), 3);
  for (Eigen::Index node = 0; node < positions.rows(); ++node) {
    const Vec3 x = positions.row(node).transpose() - options.origin;
    const double share =
        std::clamp((x.dot(axis) - options.from) / (options.to - options.from), 0.0, 1.0);
    result.row(node) =
        (options.origin + rotation_exp(share * options.angle * axis) * x).transpose();
  }
  return result;
}

}  // namespace limber
