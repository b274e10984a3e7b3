// Dihedral angles, as cosines: no inverse trigonometry while comparing.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "limber/core/types.h"

namespace limber {

/// The largest and least cosine of a tet's six dihedral angles: those of its smallest and largest
/// angle. A flat or inverted tet gives 1 and -1.
struct AngleCosines {
  double of_smallest = 1;
  double of_largest = -1;
};

inline AngleCosines angle_cosines(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  AngleCosines cosines;
  if ((b - a).cross(c - a).dot(d - a) <= 0) return cosines;
  const std::array<Vec3, 4> normals = {(c - b).cross(d - b), (d - a).cross(c - a),
                                       (b - a).cross(d - a), (c - a).cross(b - a)};
  std::array<double, 4> lengths{};
  for (int i = 0; i < 4; ++i) lengths[i] = normals[i].norm();
  cosines = {-1, 1};
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      const double product = lengths[i] * lengths[j];
      if (product <= 0) return {};
      // The angle between the faces is π less that between their outward normals.
      const double cosine = -normals[i].dot(normals[j]) / product;
      cosines.of_smallest = std::max(cosines.of_smallest, cosine);
      cosines.of_largest = std::min(cosines.of_largest, cosine);
    }
  }
  return cosines;
}

inline double degrees(double cosine) {
  return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
}

}  // namespace limber
