#include "limber/mesh/glue.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {

/// Length of the shortest edge at each node.
std::vector<double> shortest_edges(const TetMesh& mesh) {
  std::vector<double> shortest(mesh.node_count(), std::numeric_limits<double>::infinity());
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        const int a = mesh.T(t, i);
        const int b = mesh.T(t, j);
        const double length = (mesh.V.row(a) - mesh.V.row(b)).norm();
        shortest[a] = std::min(shortest[a], length);
        shortest[b] = std::min(shortest[b], length);
      }
    }
  }
  return shortest;
}

/// Two nodes of different parts that may become one.
struct Seam {
  double distance;
  int kept, joined;
};

/// Joins nodes pair by pair, the nearest first.
class Gluing {
 public:
  Gluing(const TetMesh& mesh, std::vector<int> part_of, int parts)
      : mesh_(mesh),
        part_of_(std::move(part_of)),
        parts_(parts),
        rank_(parts),
        target_(mesh.node_count()),
        members_(mesh.node_count()),
        tets_at_(mesh.node_count()) {
    const std::vector<int> order = parts_by_volume(mesh_, part_of_, parts_);
    for (int k = 0; k < parts_; ++k) rank_[order[k]] = k;
    std::iota(target_.begin(), target_.end(), 0);
    for (int i = 0; i < mesh.node_count(); ++i) members_[i] = {i};
    for (int t = 0; t < mesh.tet_count(); ++t) {
      for (int k = 0; k < 4; ++k) tets_at_[mesh.T(t, k)].push_back(t);
    }
  }

  LoosePiece run() {
    for (const Seam& seam : seams()) {
      const int kept = target_[seam.kept];
      const int moved = target_[seam.joined];
      if (share_a_part(kept, moved) || !may_move(members_[moved], mesh_.V.row(kept))) continue;
      for (const int node : members_[moved]) {
        mesh_.V.row(node) = mesh_.V.row(kept);
        target_[node] = kept;
        members_[kept].push_back(node);
      }
    }
    require_one_piece();
    for (Eigen::Index t = 0; t < mesh_.T.rows(); ++t) {
      for (int k = 0; k < 4; ++k) mesh_.T(t, k) = target_[mesh_.T(t, k)];
    }
    LoosePiece piece = take_part(mesh_, connected_parts(mesh_), 0);
    for (int i = 0; i < mesh_.node_count(); ++i) piece.node_of[i] = piece.node_of[target_[i]];
    return piece;
  }

 private:
  /// Two nodes of one part never become one, and a node never joins what it has joined.
  [[nodiscard]] bool share_a_part(int kept, int moved) const {
    for (const int a : members_[kept]) {
      for (const int b : members_[moved]) {
        if (part_of_[a] == part_of_[b]) return true;
      }
    }
    return false;
  }

  /// Nodes sorted along x: neighbours within reach are found by going along.
  [[nodiscard]] std::vector<Seam> seams() const {
    constexpr double kReach = 0.5;  // of the shortest edge at either node
    const std::vector<double> shortest = shortest_edges(mesh_);
    std::vector<int> along;
    double widest = 0;
    for (int i = 0; i < mesh_.node_count(); ++i) {
      if (part_of_[i] < 0) continue;
      along.push_back(i);
      widest = std::max(widest, shortest[i]);
    }
    std::sort(along.begin(), along.end(),
              [&](int a, int b) { return mesh_.V(a, 0) < mesh_.V(b, 0); });
    std::vector<Seam> found;
    for (std::size_t a = 0; a < along.size(); ++a) {
      for (std::size_t b = a + 1; b < along.size(); ++b) {
        const int i = along[a];
        const int j = along[b];
        if (mesh_.V(j, 0) - mesh_.V(i, 0) > kReach * widest) break;
        if (part_of_[i] == part_of_[j]) continue;
        const double distance = (mesh_.V.row(i) - mesh_.V.row(j)).norm();
        if (distance > kReach * std::min(shortest[i], shortest[j])) continue;
        const bool first_is_larger = rank_[part_of_[i]] < rank_[part_of_[j]];
        found.push_back({distance, first_is_larger ? i : j, first_is_larger ? j : i});
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Seam& a, const Seam& b) { return a.distance < b.distance; });
    return found;
  }

  /// No tet may turn over or nearly so.
  [[nodiscard]] bool may_move(const std::vector<int>& nodes, const Eigen::RowVector3d& place) {
    constexpr double kLeast = 0.2;  // of the tet's volume
    bool good = true;
    for (const int node : nodes) {
      const Eigen::RowVector3d before = mesh_.V.row(node);
      for (const int t : tets_at_[node]) {
        const double size = volume(mesh_.V, mesh_.T.row(t));
        mesh_.V.row(node) = place;
        good = good && volume(mesh_.V, mesh_.T.row(t)) >= kLeast * size;
        mesh_.V.row(node) = before;
      }
    }
    return good;
  }

  /// Two parts hold together when three of the nodes that they share span a plane.
  [[nodiscard]] bool holds(int a, int b) const {
    std::vector<Vec3> nodes;
    for (int i = 0; i < mesh_.node_count(); ++i) {
      const auto has = [&](int part) {
        return std::any_of(members_[i].begin(), members_[i].end(),
                           [&](int node) { return part_of_[node] == part; });
      };
      if (target_[i] == i && has(a) && has(b)) nodes.emplace_back(mesh_.V.row(i));
    }
    for (std::size_t k = 2; k < nodes.size(); ++k) {
      const Vec3 side = nodes[1] - nodes[0];
      const Vec3 other = nodes[k] - nodes[0];
      if (side.cross(other).norm() > 1e-6 * side.norm() * other.norm()) return true;
    }
    return false;
  }

  void require_one_piece() const {
    UnionFind together(parts_);
    for (int a = 0; a < parts_; ++a) {
      for (int b = a + 1; b < parts_; ++b) {
        if (holds(a, b)) together.join(a, b);
      }
    }
    for (int part = 0; part < parts_; ++part) {
      if (together.root(part) == together.root(0)) continue;
      const auto node = std::find(part_of_.begin(), part_of_.end(), part) - part_of_.begin();
      throw Error("the piece of node " + std::to_string(node) +
                      " touches no other piece in three nodes that are not in a line",
                  "glue",
                  "move the pieces together, refine where they touch, or leave \"pieces\" "
                  "out: each then moves on its own");
    }
  }

  TetMesh mesh_;
  std::vector<int> part_of_;
  int parts_;
  std::vector<int> rank_;                  // of each part by its volume
  std::vector<int> target_;                // the node that each node has become
  std::vector<std::vector<int>> members_;  // the nodes that have become this one, itself included
  std::vector<std::vector<int>> tets_at_;
};

}  // namespace

LoosePiece glued(const TetMesh& mesh) {
  return Gluing(mesh, connected_parts(mesh), connected_part_count(mesh)).run();
}

}  // namespace limber
