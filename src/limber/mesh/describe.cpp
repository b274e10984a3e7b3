#include "limber/mesh/describe.h"

#include <algorithm>
#include <map>

#include "limber/mesh/boundary.h"
#include "limber/mesh/coincident.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {

namespace {
/// The positions that some element names.
template <typename Elements>
Positions used_positions(const Positions& positions, const Elements& elements) {
  std::vector<char> used(positions.rows(), 0);
  for (Eigen::Index i = 0; i < elements.size(); ++i) used[elements.data()[i]] = 1;
  Positions kept(std::count(used.begin(), used.end(), 1), 3);
  Eigen::Index row = 0;
  for (Eigen::Index i = 0; i < positions.rows(); ++i) {
    if (used[i] != 0) kept.row(row++) = positions.row(i);
  }
  return kept;
}

std::vector<RegionDescription> describe_regions(const TetMesh& mesh) {
  std::map<int, RegionDescription> regions;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    RegionDescription& region = regions[mesh.region(t)];
    region.number = mesh.region(t);
    ++region.tets;
    region.volume += six_volumes(mesh.V.row(mesh.T(t, 0)), mesh.V.row(mesh.T(t, 1)),
                                 mesh.V.row(mesh.T(t, 2)), mesh.V.row(mesh.T(t, 3))) /
                     6;
  }
  std::vector<RegionDescription> list;
  for (const auto& [number, region] : regions) list.push_back(region);
  return list;
}
}  // namespace

MeshBounds mesh_bounds(const Positions& positions) {
  if (positions.rows() == 0) return {};
  return {positions.colwise().minCoeff(), positions.colwise().maxCoeff()};
}

TetMeshDescription describe(const TetMesh& mesh) {
  const Positions used = used_positions(mesh.V, mesh.T);
  const Boundary boundary = boundary_surface(mesh);
  TetMeshDescription description;
  description.nodes = mesh.node_count();
  description.tets = mesh.tet_count();
  description.unused_nodes = static_cast<int>(mesh.V.rows() - used.rows());
  description.duplicate_nodes = duplicate_count(mesh.V);
  description.parts = connected_part_count(mesh);
  description.crowded_faces = crowded_face_count(mesh);
  description.bounds = mesh_bounds(used);
  description.quality = tet_quality(mesh);
  description.regions = describe_regions(mesh);
  description.surface_vertices = boundary.surface.vertex_count();
  description.surface_triangles = boundary.surface.triangle_count();
  description.surface = surface_topology(boundary.surface);
  return description;
}

SurfaceDescription describe(const TriMesh& surface) {
  const Positions used = used_positions(surface.V, surface.F);
  SurfaceDescription description;
  description.vertices = surface.vertex_count();
  description.triangles = surface.triangle_count();
  description.unused_vertices = static_cast<int>(surface.V.rows() - used.rows());
  description.duplicate_vertices = duplicate_count(surface.V);
  description.bounds = mesh_bounds(used);
  description.topology = surface_topology(surface);
  description.has_uv_seams = surface.corner_uv.rows() > 0;
  description.has_uv = surface.uv.rows() > 0 || description.has_uv_seams;
  description.has_colours = surface.colours.rows() > 0;
  description.materials = surface.material_names;
  return description;
}

}  // namespace limber
