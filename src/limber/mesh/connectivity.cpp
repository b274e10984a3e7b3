#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "limber/mesh/checks.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {
/// An edge of a triangle: its vertices in order, the triangle, and whether it ran upward.
struct HalfEdge {
  int low;
  int high;
  int triangle;
  bool upward;
  [[nodiscard]] bool same_edge(const HalfEdge& other) const {
    return low == other.low && high == other.high;
  }
};

std::vector<HalfEdge> sorted_half_edges(const Triangles& F) {
  std::vector<HalfEdge> edges;
  edges.reserve(3 * F.rows());
  for (int f = 0; f < F.rows(); ++f) {
    for (int c = 0; c < 3; ++c) {
      const int a = F(f, c);
      const int b = F(f, (c + 1) % 3);
      edges.push_back({std::min(a, b), std::max(a, b), f, a < b});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  return edges;
}

/// The corner (3·triangle + place) at which `vertex` stands.
int corner_at(const Triangles& F, int triangle, int vertex) {
  const int place = F(triangle, 0) == vertex ? 0 : F(triangle, 1) == vertex ? 1 : 2;
  return 3 * triangle + place;
}

/// Vertices whose triangles form more than one fan. `fans` joins corners of the same vertex across
/// edges.
int count_split_vertices(const TriMesh& surface, UnionFind& fans) {
  std::vector<int> fan_of(surface.vertex_count(), -1);
  std::vector<char> split(surface.vertex_count(), 0);
  for (int corner = 0; corner < surface.F.size(); ++corner) {
    const int vertex = surface.F.data()[corner];
    const int fan = fans.root(corner);
    if (fan_of[vertex] < 0) fan_of[vertex] = fan;
    if (fan_of[vertex] != fan) split[vertex] = 1;
  }
  return static_cast<int>(std::count(split.begin(), split.end(), 1));
}

void measure(const TriMesh& surface, SurfaceTopology& topology) {
  if (surface.vertex_count() == 0) return;
  // Volumes of cones over each triangle; an apex close by keeps rounding small.
  const Vec3 apex = surface.V.colwise().mean();
  for (Eigen::Index f = 0; f < surface.F.rows(); ++f) {
    const Vec3 a = surface.V.row(surface.F(f, 0)).transpose() - apex;
    const Vec3 b = surface.V.row(surface.F(f, 1)).transpose() - apex;
    const Vec3 c = surface.V.row(surface.F(f, 2)).transpose() - apex;
    topology.area += (b - a).cross(c - a).norm() / 2;
    topology.volume += a.cross(b).dot(c) / 6;
  }
}

/// Numbers the roots of used vertices from 0 in order; -1 for the others.
std::vector<int> numbered_parts(UnionFind& joined, const std::vector<char>& used) {
  std::vector<int> number(used.size(), -1);
  int parts = 0;
  for (int i = 0; i < static_cast<int>(used.size()); ++i) {
    if (used[i] == 0) continue;
    const int root = joined.root(i);  // the smallest of its part, so numbered already or i itself
    number[i] = root == i ? parts++ : number[root];
  }
  return number;
}
}  // namespace

std::vector<int> connected_parts(const TetMesh& mesh) {
  UnionFind joined(mesh.node_count());
  std::vector<char> used(mesh.node_count(), 0);
  for (Eigen::Index t = 0; t < mesh.T.rows(); ++t) {
    for (int c = 0; c < 4; ++c) {
      used[mesh.T(t, c)] = 1;
      joined.join(mesh.T(t, 0), mesh.T(t, c));
    }
  }
  return numbered_parts(joined, used);
}

int connected_part_count(const TetMesh& mesh) {
  const std::vector<int> parts = connected_parts(mesh);
  return parts.empty() ? 0 : 1 + *std::max_element(parts.begin(), parts.end());
}

int crowded_face_count(const TetMesh& mesh) {
  std::vector<std::array<std::int32_t, 3>> faces;
  faces.reserve(4 * static_cast<std::size_t>(mesh.tet_count()));
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int opposite = 0; opposite < 4; ++opposite) {
      std::array<std::int32_t, 3> face{};
      for (int c = 0; c < 3; ++c) face[c] = mesh.T(t, (opposite + 1 + c) % 4);
      std::sort(face.begin(), face.end());
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end());
  int crowded = 0;
  for (auto face = faces.begin(); face != faces.end();) {
    const auto end = std::upper_bound(face, faces.end(), *face);
    crowded += end - face > 2;
    face = end;
  }
  return crowded;
}

SurfaceTopology surface_topology(const TriMesh& surface) {
  SurfaceTopology topology;
  const std::vector<HalfEdge> edges = sorted_half_edges(surface.F);
  UnionFind fans(static_cast<int>(surface.F.size()));
  UnionFind joined(surface.vertex_count());
  topology.oriented = true;
  int edge_count = 0;
  for (auto edge = edges.begin(); edge != edges.end(); ++edge_count) {
    const auto end =
        std::find_if(edge, edges.end(), [&](const HalfEdge& e) { return !e.same_edge(*edge); });
    const auto triangles = end - edge;
    topology.boundary_edges += triangles == 1;
    topology.non_manifold_edges += triangles > 2;
    const auto upward = std::count_if(edge, end, [](const HalfEdge& e) { return e.upward; });
    if (triangles > 1 && 2 * upward != triangles) topology.oriented = false;
    joined.join(edge->low, edge->high);
    for (auto next = edge + 1; next != end; ++next) {
      for (const int vertex : {edge->low, edge->high}) {
        fans.join(corner_at(surface.F, edge->triangle, vertex),
                  corner_at(surface.F, next->triangle, vertex));
      }
    }
    edge = end;
  }

  std::vector<char> used(surface.vertex_count(), 0);
  for (Eigen::Index i = 0; i < surface.F.size(); ++i) used[surface.F.data()[i]] = 1;
  const std::vector<int> parts = numbered_parts(joined, used);
  topology.components = parts.empty() ? 0 : 1 + *std::max_element(parts.begin(), parts.end());
  topology.euler_characteristic = static_cast<int>(std::count(used.begin(), used.end(), 1)) -
                                  edge_count + surface.triangle_count();
  topology.non_manifold_vertices = count_split_vertices(surface, fans);
  topology.closed = surface.triangle_count() > 0 && topology.boundary_edges == 0;
  topology.manifold = topology.non_manifold_edges == 0 && topology.non_manifold_vertices == 0;
  measure(surface, topology);
  return topology;
}

}  // namespace limber
