#include "limber/mesh/normals.h"

#include <Eigen/Geometry>
#include <cmath>

namespace limber {

Positions vertex_normals(const Positions& positions, const Triangles& triangles) {
  Positions normals = Positions::Zero(positions.rows(), 3);
  for (Eigen::Index f = 0; f < triangles.rows(); ++f) {
    const auto corner = [&](int k) { return Vec3(positions.row(triangles(f, k % 3)).transpose()); };
    const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    const double twice_area = normal.norm();
    if (!(twice_area > 0)) continue;
    for (int k = 0; k < 3; ++k) {
      const Vec3 to_next = corner(k + 1) - corner(k);
      const Vec3 to_last = corner(k + 2) - corner(k);
      const double angle = std::atan2(twice_area, to_next.dot(to_last));
      normals.row(triangles(f, k)) += (angle / twice_area) * normal.transpose();
    }
  }
  for (Eigen::Index v = 0; v < normals.rows(); ++v) {
    const double length = normals.row(v).norm();
    if (length > 0) {
      normals.row(v) /= length;
    } else {
      normals.row(v) << 0, 0, 1;
    }
  }
  return normals;
}

}  // namespace limber
