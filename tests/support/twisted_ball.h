// A unit sphere of triangles, and a smooth deformation with its true normals.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "limber/core/types.h"

namespace limber {

struct Ball {
  std::vector<double> positions;
  std::vector<std::int32_t> triangles;
};

/// Unit sphere of rings and sectors, thin triangles near the poles.
inline Ball ball(int rings, int sectors) {
  Ball result;
  const auto add = [&](double polar, double azimuth) {
    result.positions.insert(result.positions.end(),
                            {std::sin(polar) * std::cos(azimuth), std::cos(polar),
                             -std::sin(polar) * std::sin(azimuth)});
  };
  add(0, 0);
  for (int r = 1; r < rings; ++r)
    for (int s = 0; s < sectors; ++s)
      add(std::numbers::pi * r / rings, 2 * std::numbers::pi * s / sectors);
  add(std::numbers::pi, 0);
  const auto at = [&](int r, int s) { return r == 0 ? 0 : 1 + (r - 1) * sectors + s % sectors; };
  const int last = 1 + (rings - 1) * sectors;
  for (int r = 0; r < rings; ++r) {
    for (int s = 0; s < sectors; ++s) {
      const int a = at(r, s), b = at(r, s + 1);
      const int c = r + 1 == rings ? last : at(r + 1, s);
      const int d = r + 1 == rings ? last : at(r + 1, s + 1);
      if (r > 0) result.triangles.insert(result.triangles.end(), {a, c, b});
      if (r + 1 < rings) result.triangles.insert(result.triangles.end(), {b, c, d});
    }
  }
  return result;
}

/// A twist, a stretch and a bend.
inline Vec3 twisted(const Vec3& X) {
  const double angle = 0.8 * X.y();
  return {1.3 * (std::cos(angle) * X.x() - std::sin(angle) * X.z()),
          0.7 * X.y() + 0.2 * X.x() * X.x(), std::sin(angle) * X.x() + std::cos(angle) * X.z()};
}

/// The normal of the deformed sphere at X: F⁻ᵀ X with F = ∂x/∂X by differences, not normalised.
inline Vec3 twisted_normal(const Vec3& X) {
  constexpr double h = 1e-6;
  Mat3 F;
  for (int c = 0; c < 3; ++c) {
    F.col(c) = (twisted(X + h * Vec3::Unit(c)) - twisted(X - h * Vec3::Unit(c))) / (2 * h);
  }
  return F.inverse().transpose() * X;
}

/// Angle between directions in degrees; also right near zero.
inline double degrees(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / std::numbers::pi;
}

}  // namespace limber
