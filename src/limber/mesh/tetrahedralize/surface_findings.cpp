#include "limber/mesh/tetrahedralize/surface_findings.h"

#include <Eigen/Geometry>

namespace limber {

SurfaceFindings examine_surface(const TriMesh& surface, TetrahedralizeReport& report) {
  SurfaceFindings found;
  found.soup = make_soup(surface);
  const SoupTopology topology = find_topology(found.soup);
  const TriangleTree tree(found.soup.V, found.soup.F);
  found.crossings = find_self_intersections(found.soup, tree, topology.part_of);
  found.bodies = find_bodies(found.soup, topology, tree, found.crossings);

  report.vertices = surface.vertex_count();
  report.triangles = surface.triangle_count();
  report.parts = topology.parts;
  report.bodies = found.bodies.count;
  report.holes = topology.holes;
  report.boundary_edges = topology.boundary_edges;
  report.non_manifold_edges = topology.non_manifold_edges;
  report.self_intersections = found.crossings.crossing_pairs;
  report.degenerate_triangles = found.soup.degenerate_triangles;
  report.duplicate_triangles = found.soup.duplicate_triangles;
  report.turned_triangles = topology.turned_triangles;
  return found;
}

double wall_volume(const Soup& body, const Roles& roles) {
  double sum = 0;
  const Vec3 origin = body.box.centre();
  for (int f = 0; f < body.F.rows(); ++f) {
    if (roles.of[f] != Role::wall) continue;
    const Triangle t = triangle(body.V, body.F, f);
    sum += (t[0] - origin).dot((t[1] - origin).cross(t[2] - origin)) / 6;
  }
  return sum;
}

}  // namespace limber
