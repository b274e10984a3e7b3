#include "limber/mesh/boundary.h"

#include <algorithm>
#include <cstdint>

namespace limber {

namespace {
/// A face by its middle and largest node, in the bucket of its smallest.
struct Face {
  std::int32_t middle;
  std::int32_t largest;
  int id;  ///< 4·tet + number of the opposite corner
  bool operator<(const Face& other) const {
    return middle != other.middle ? middle < other.middle : largest < other.largest;
  }
  [[nodiscard]] bool same_nodes(const Face& other) const {
    return middle == other.middle && largest == other.largest;
  }
};

std::array<std::int32_t, 3> sorted_nodes(const Tets& tets, int id) {
  const auto& corners = kTetFaces[id % 4];
  std::array<std::int32_t, 3> n = {tets(id / 4, corners[0]), tets(id / 4, corners[1]),
                                   tets(id / 4, corners[2])};
  std::sort(n.begin(), n.end());
  return n;
}

}  // namespace

// A counting sort by smallest node, then each small bucket by the other two.
std::vector<int> boundary_faces(const TetMesh& mesh) {
  const int faces = 4 * mesh.tet_count();
  std::vector<int> bucket_end(mesh.node_count() + 1, 0);
  for (int id = 0; id < faces; ++id) ++bucket_end[sorted_nodes(mesh.T, id)[0] + 1];
  for (int n = 0; n < mesh.node_count(); ++n) bucket_end[n + 1] += bucket_end[n];
  std::vector<Face> sorted(faces);
  std::vector<int> next(bucket_end.begin(), bucket_end.end() - 1);
  for (int id = 0; id < faces; ++id) {
    const auto n = sorted_nodes(mesh.T, id);
    sorted[next[n[0]]++] = {n[1], n[2], id};
  }

  std::vector<int> singles;
  for (int n = 0; n < mesh.node_count(); ++n) {
    const auto begin = sorted.begin() + bucket_end[n];
    const auto end = sorted.begin() + bucket_end[n + 1];
    std::sort(begin, end);
    for (auto face = begin; face != end;) {
      const auto other =
          std::find_if(face + 1, end, [&](const Face& f) { return !f.same_nodes(*face); });
      if (other - face == 1) singles.push_back(face->id);
      face = other;
    }
  }
  std::sort(singles.begin(), singles.end());
  return singles;
}

Boundary boundary_surface(const TetMesh& mesh) {
  const std::vector<int> faces = boundary_faces(mesh);
  Boundary boundary;
  Triangles& F = boundary.surface.F;
  F.resize(static_cast<Eigen::Index>(faces.size()), 3);
  std::vector<int> vertex_of_node(mesh.node_count(), -1);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (int c = 0; c < 3; ++c) {
      F(f, c) = mesh.T(faces[f] / 4, kTetFaces[faces[f] % 4][c]);
      vertex_of_node[F(f, c)] = 0;
    }
  }
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (vertex_of_node[n] < 0) continue;
    vertex_of_node[n] = static_cast<int>(boundary.nodes.size());
    boundary.nodes.push_back(n);
  }
  for (std::int32_t& corner : F.reshaped()) corner = vertex_of_node[corner];
  boundary.surface.V = mesh.V(boundary.nodes, Eigen::all);
  return boundary;
}

}  // namespace limber
