// Volume and flatness of a single tetrahedron.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <utility>

#include "limber/core/types.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

/// Coordinates beyond this are refused, so that volumes and squared areas stay finite.
inline constexpr double kLargestCoordinate = 1e50;

/// det(b-a, c-a, d-a), six times the signed volume.
inline double six_volumes(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

/// Six times the volume that rounding alone may give a flat tet. Coordinates of size x are known
/// to eps·x, so edges of length L too; the determinant of three edges then errs by up to
/// 3·2eps·x·L², and evaluating it adds about 8eps·L³.
inline double flat_six_volumes(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const double edge2 =
      std::max({(b - a).squaredNorm(), (c - a).squaredNorm(), (d - a).squaredNorm(),
                (c - b).squaredNorm(), (d - b).squaredNorm(), (d - c).squaredNorm()});
  const double size = std::max({a.lpNorm<Eigen::Infinity>(), b.lpNorm<Eigen::Infinity>(),
                                c.lpNorm<Eigen::Infinity>(), d.lpNorm<Eigen::Infinity>()});
  return 8 * std::numeric_limits<double>::epsilon() * edge2 * (size + std::sqrt(edge2));
}

/// Turns a tet of negative volume round; says whether it did.
inline bool turn_if_negative(TetMesh& mesh, int t) {
  const auto corner = [&](int c) -> Vec3 { return mesh.V.row(mesh.T(t, c)); };
  if (!(six_volumes(corner(0), corner(1), corner(2), corner(3)) < 0)) return false;
  std::swap(mesh.T(t, 2), mesh.T(t, 3));
  return true;
}

}  // namespace limber
