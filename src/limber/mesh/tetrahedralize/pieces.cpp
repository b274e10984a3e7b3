#include "limber/mesh/tetrahedralize/pieces.h"

#include <algorithm>
#include <tuple>

#include "limber/mesh/union_find.h"

namespace limber {

namespace {
struct Face {
  std::int32_t middle;
  std::int32_t largest;
  std::int32_t id;  ///< 4·tet + opposite corner
  bool operator<(const Face& o) const {
    if (middle != o.middle) return middle < o.middle;
    return largest != o.largest ? largest < o.largest : id < o.id;
  }
  [[nodiscard]] bool same_nodes(const Face& o) const {
    return middle == o.middle && largest == o.largest;
  }
};

std::array<std::int32_t, 3> sorted_face(const Tets& tets, int id) {
  std::array<std::int32_t, 3> n{};
  int k = 0;
  for (int c = 0; c < 4; ++c) {
    if (c != id % 4) n[k++] = tets(id / 4, c);
  }
  std::sort(n.begin(), n.end());
  return n;
}

/// Calls visit(first, count) for every face, with the tets that have it: a counting sort by the
/// smallest node, then each small bucket by the other two.
template <class Visit>
void for_each_face(const Tets& tets, int nodes, const Visit& visit) {
  const int faces = 4 * static_cast<int>(tets.rows());
  std::vector<std::int32_t> first(nodes + 1, 0);
  for (int id = 0; id < faces; ++id) ++first[sorted_face(tets, id)[0] + 1];
  for (int n = 0; n < nodes; ++n) first[n + 1] += first[n];
  std::vector<Face> sorted(faces);
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  for (int id = 0; id < faces; ++id) {
    const auto n = sorted_face(tets, id);
    sorted[next[n[0]]++] = {n[1], n[2], id};
  }
  for (int n = 0; n < nodes; ++n) {
    std::sort(sorted.begin() + first[n], sorted.begin() + first[n + 1]);
    for (int i = first[n]; i < first[n + 1];) {
      int end = i + 1;
      while (end < first[n + 1] && sorted[end].same_nodes(sorted[i])) ++end;
      visit(&sorted[i], end - i);
      i = end;
    }
  }
}
}  // namespace

std::vector<std::array<std::int32_t, 4>> face_neighbours(const Tets& tets, int nodes) {
  std::vector<std::array<std::int32_t, 4>> neighbours(tets.rows(), {-1, -1, -1, -1});
  for_each_face(tets, nodes, [&](const Face* f, int count) {
    for (int i = 0; i + 1 < count; i += 2) {
      neighbours[f[i].id / 4][f[i].id % 4] = f[i + 1].id / 4;
      neighbours[f[i + 1].id / 4][f[i + 1].id % 4] = f[i].id / 4;
    }
  });
  return neighbours;
}

FaceSharing face_sharing(const Tets& tets, int nodes) {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  pairs.reserve(4 * tets.rows());
  for_each_face(tets, nodes, [&](const Face* f, int count) {
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        if (i != j) pairs.emplace_back(f[i].id / 4, f[j].id / 4);
      }
    }
  });
  FaceSharing sharing;
  sharing.first.assign(tets.rows() + 1, 0);
  for (const auto& [t, other] : pairs) ++sharing.first[t + 1];
  for (Eigen::Index t = 0; t < tets.rows(); ++t) sharing.first[t + 1] += sharing.first[t];
  sharing.tets.resize(pairs.size());
  std::vector<std::int32_t> next(sharing.first.begin(), sharing.first.end() - 1);
  for (const auto& [t, other] : pairs) sharing.tets[next[t]++] = other;
  return sharing;
}

Pieces face_connected_pieces(const Tets& tets, int nodes) {
  UnionFind sets(static_cast<int>(tets.rows()));
  for_each_face(tets, nodes, [&](const Face* f, int count) {
    for (int i = 1; i < count; ++i) sets.join(f[0].id / 4, f[i].id / 4);
  });
  Pieces pieces;
  std::tie(pieces.of_tet, pieces.count) = sets.numbered();
  return pieces;
}

std::vector<std::int32_t> split_hinges(TetMesh& mesh) {
  const int corners = 4 * mesh.tet_count();
  UnionFind sets(corners);
  const auto neighbours = face_neighbours(mesh.T, mesh.node_count());
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int opposite = 0; opposite < 4; ++opposite) {
      const int other = neighbours[t][opposite];
      if (other < t) continue;
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          if (i != opposite && mesh.T(t, i) == mesh.T(other, j))
            sets.join(4 * t + i, 4 * other + j);
        }
      }
    }
  }
  // The first set at a node keeps its number; further ones get new nodes at the end.
  std::vector<std::int32_t> first_set(mesh.node_count(), -1);
  std::vector<std::int32_t> node_of_set(corners, -1);
  std::vector<std::int32_t> origin(mesh.node_count());
  for (int n = 0; n < mesh.node_count(); ++n) origin[n] = n;
  for (int corner = 0; corner < corners; ++corner) {
    std::int32_t& node = mesh.T(corner / 4, corner % 4);
    const int set = sets.root(corner);
    if (node_of_set[set] < 0) {
      if (first_set[node] < 0) {
        first_set[node] = set;
        node_of_set[set] = node;
      } else {
        node_of_set[set] = static_cast<std::int32_t>(origin.size());
        origin.push_back(node);
      }
    }
    node = node_of_set[set];
  }
  if (origin.size() > static_cast<std::size_t>(mesh.node_count())) {
    mesh.V = Positions(mesh.V(origin, Eigen::all));
  }
  return origin;
}

std::vector<std::int32_t> keep_tets(TetMesh& mesh, const std::vector<bool>& keep) {
  std::vector<int> rows;
  std::vector<bool> used(mesh.node_count(), false);
  for (int t = 0; t < mesh.tet_count(); ++t) {
    if (!keep[t]) continue;
    rows.push_back(t);
    for (int c = 0; c < 4; ++c) used[mesh.T(t, c)] = true;
  }
  std::vector<std::int32_t> old;
  std::vector<std::int32_t> number(mesh.node_count(), -1);
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (!used[n]) continue;
    number[n] = static_cast<std::int32_t>(old.size());
    old.push_back(n);
  }
  mesh.V = Positions(mesh.V(old, Eigen::all));
  mesh.T = Tets(mesh.T(rows, Eigen::all));
  for (std::int32_t& n : mesh.T.reshaped()) n = number[n];
  if (!mesh.regions.empty()) {
    std::vector<int> regions;
    for (const int t : rows) regions.push_back(mesh.regions[t]);
    mesh.regions = std::move(regions);
  }
  return old;
}

}  // namespace limber
