#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "limber/mesh/checks.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {

namespace {
struct Corners {
  std::array<Vec3, 4> p;
};

Corners corners_of(const TetMesh& mesh, int tet) {
  return {{mesh.V.row(mesh.T(tet, 0)), mesh.V.row(mesh.T(tet, 1)), mesh.V.row(mesh.T(tet, 2)),
           mesh.V.row(mesh.T(tet, 3))}};
}

/// Twice the area of the face opposite each corner, as vectors pointing inward.
std::array<Vec3, 4> inward_area_vectors(const Corners& t) {
  const Vec3 b = t.p[1] - t.p[0];
  const Vec3 c = t.p[2] - t.p[0];
  const Vec3 d = t.p[3] - t.p[0];
  const Vec3 n1 = c.cross(d);
  const Vec3 n2 = d.cross(b);
  const Vec3 n3 = b.cross(c);
  return {-(n1 + n2 + n3), n1, n2, n3};
}

/// 3·inradius/circumradius. With edge vectors b, c, d from a corner:
/// circumradius = |b²(c×d) + c²(d×b) + d²(b×c)| / (2·6V), inradius = 6V / sum of |area vectors|.
double radius_ratio(const Corners& t, const std::array<Vec3, 4>& areas, double six) {
  const double b2 = (t.p[1] - t.p[0]).squaredNorm();
  const double c2 = (t.p[2] - t.p[0]).squaredNorm();
  const double d2 = (t.p[3] - t.p[0]).squaredNorm();
  const double surface = areas[0].norm() + areas[1].norm() + areas[2].norm() + areas[3].norm();
  const double twice_six_radius = (b2 * areas[1] + c2 * areas[2] + d2 * areas[3]).norm();
  const double scale = surface * twice_six_radius;
  return scale > 0 ? 6 * six * six / scale : 0;
}

/// The angle between the faces opposite corners i and j, inside the tet.
double dihedral(const Vec3& inward_i, const Vec3& inward_j) {
  return std::numbers::pi - std::atan2(inward_i.cross(inward_j).norm(), inward_i.dot(inward_j));
}
}  // namespace

TetQuality tet_quality(const TetMesh& mesh) {
  TetQuality quality;
  if (mesh.tet_count() == 0) return quality;
  double least_angle = std::numbers::pi;
  double largest_angle = 0;
  quality.min_volume = quality.worst_radius_ratio = std::numeric_limits<double>::infinity();
  for (int t = 0; t < mesh.tet_count(); ++t) {
    const Corners corners = corners_of(mesh, t);
    const double six = six_volumes(corners.p[0], corners.p[1], corners.p[2], corners.p[3]);
    quality.volume += six / 6;
    quality.min_volume = std::min(quality.min_volume, six / 6);
    const std::array<Vec3, 4> areas = inward_area_vectors(corners);
    const double ratio = radius_ratio(corners, areas, six);
    if (ratio < quality.worst_radius_ratio) {
      quality.worst_radius_ratio = ratio;
      quality.worst_tet = t;
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        const double angle = dihedral(areas[i], areas[j]);
        least_angle = std::min(least_angle, angle);
        largest_angle = std::max(largest_angle, angle);
      }
    }
  }
  quality.min_dihedral_degrees = least_angle * 180 / std::numbers::pi;
  quality.max_dihedral_degrees = largest_angle * 180 / std::numbers::pi;
  return quality;
}

}  // namespace limber
