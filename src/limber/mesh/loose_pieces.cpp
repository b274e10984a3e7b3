#include "limber/mesh/loose_pieces.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "limber/mesh/checks.h"

namespace limber {

std::vector<int> parts_by_volume(const TetMesh& mesh, const std::vector<int>& part_of, int parts) {
  std::vector<double> volumes(parts, 0);
  for (int t = 0; t < mesh.tet_count(); ++t) {
    volumes[part_of[mesh.T(t, 0)]] += std::abs(volume(mesh.V, mesh.T.row(t)));
  }
  std::vector<int> order(parts);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return volumes[a] > volumes[b]; });
  return order;
}

LoosePiece take_part(const TetMesh& mesh, const std::vector<int>& part_of, int part) {
  LoosePiece piece;
  piece.node_of.assign(mesh.node_count(), -1);
  std::vector<int> nodes;
  for (int i = 0; i < mesh.node_count(); ++i) {
    if (part_of[i] != part) continue;
    piece.node_of[i] = static_cast<int>(nodes.size());
    nodes.push_back(i);
  }
  std::vector<int> tets;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    if (part_of[mesh.T(t, 0)] == part) tets.push_back(t);
  }
  piece.mesh.V = mesh.V(nodes, Eigen::all);
  piece.mesh.T.resize(std::ssize(tets), 4);
  for (Eigen::Index t = 0; t < std::ssize(tets); ++t) {
    for (int k = 0; k < 4; ++k) piece.mesh.T(t, k) = piece.node_of[mesh.T(tets[t], k)];
    if (!mesh.regions.empty()) piece.mesh.regions.push_back(mesh.regions[tets[t]]);
  }
  return piece;
}

std::vector<LoosePiece> loose_pieces(const TetMesh& mesh) {
  const std::vector<int> part_of = connected_parts(mesh);
  std::vector<LoosePiece> pieces;
  for (const int part : parts_by_volume(mesh, part_of, connected_part_count(mesh))) {
    pieces.push_back(take_part(mesh, part_of, part));
  }
  return pieces;
}

TriMesh surface_of_piece(const TriMesh& surface, const std::vector<int>& piece_of_vertex,
                         int piece) {
  std::vector<int> triangles;
  for (int f = 0; f < surface.triangle_count(); ++f) {
    const int a = piece_of_vertex[surface.F(f, 0)];
    const int b = piece_of_vertex[surface.F(f, 1)];
    const int c = piece_of_vertex[surface.F(f, 2)];
    if ((b == c ? b : a) == piece) triangles.push_back(f);
  }
  std::vector<int> number(surface.vertex_count(), -1);
  std::vector<int> vertices;
  TriMesh part;
  part.F.resize(std::ssize(triangles), 3);
  for (Eigen::Index f = 0; f < std::ssize(triangles); ++f) {
    for (int k = 0; k < 3; ++k) {
      const int vertex = surface.F(triangles[f], k);
      if (number[vertex] < 0) {
        number[vertex] = static_cast<int>(vertices.size());
        vertices.push_back(vertex);
      }
      part.F(f, k) = number[vertex];
    }
  }
  part.V = surface.V(vertices, Eigen::all);
  if (surface.uv.rows() > 0) part.uv = surface.uv(vertices, Eigen::all);
  if (surface.colours.rows() > 0) part.colours = surface.colours(vertices, Eigen::all);
  if (surface.corner_uv.rows() > 0) {
    part.corner_uv.resize(3 * std::ssize(triangles), 2);
    for (Eigen::Index f = 0; f < std::ssize(triangles); ++f) {
      part.corner_uv.middleRows<3>(3 * f) = surface.corner_uv.middleRows<3>(3 * triangles[f]);
    }
  }
  for (const int f : triangles) {
    if (!surface.face_materials.empty()) part.face_materials.push_back(surface.face_materials[f]);
  }
  part.material_names = surface.material_names;
  part.looks = surface.looks;
  return part;
}

}  // namespace limber
