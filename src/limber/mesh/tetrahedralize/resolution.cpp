#include "limber/mesh/tetrahedralize/resolution.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/mesh/boundary.h"

namespace limber {

namespace {
/// Area vectors and areas summed to the vertices.
struct VertexAreas {
  Positions normals;
  Vector areas;
};

VertexAreas vertex_areas(const Soup& body) {
  VertexAreas sums{Positions::Zero(body.V.rows(), 3), Vector::Zero(body.V.rows())};
  for (int f = 0; f < body.F.rows(); ++f) {
    const Vec3 n = area_vector(triangle(body.V, body.F, f));
    for (int c = 0; c < 3; ++c) {
      sums.normals.row(body.F(f, c)) += n;
      sums.areas[body.F(f, c)] += n.norm() / 6;
    }
  }
  return sums;
}
}  // namespace

Resolution resolution_of(const TetMesh& mesh, const Soup& body, const Solid& solid, double limit) {
  Resolution resolution;
  const TriMesh boundary = boundary_surface(mesh).surface;
  const TriangleTree tree(boundary.V, boundary.F);
  const VertexAreas sums = vertex_areas(body);
  const bool layered = solid.test() == InsideTest::flood_fill;
  double total = 0;
  double unresolved = 0;
  for (int v = 0; v < body.V.rows(); ++v) {
    total += sums.areas[v];
    const Vec3 p = body.V.row(v);
    double distance = tree.nearest(p).distance;
    if (layered) distance = std::abs(distance - solid.sheet_radius());
    if (distance <= limit) {
      resolution.farthest = std::max(resolution.farthest, distance);
      continue;
    }
    // A step in front of the surface: outside, or the vertex is not on the border.
    const Vec3 n = sums.normals.row(v).transpose().normalized();
    if (!layered && solid.inside(p + 0.05 * limit * n)) continue;
    unresolved += sums.areas[v];
    if (distance > resolution.farthest) {
      resolution.farthest = distance;
      resolution.farthest_at = p;
    }
  }
  resolution.unresolved_share = total > 0 ? unresolved / total : 0;
  return resolution;
}

}  // namespace limber
