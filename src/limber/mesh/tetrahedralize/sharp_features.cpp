#include "limber/mesh/tetrahedralize/sharp_features.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "limber/mesh/spatial/flat_map.h"
#include "limber/mesh/tetrahedralize/improve.h"
#include "limber/mesh/tetrahedralize/tet_angles.h"

namespace limber {

namespace {
/// Neighbours whose normals differ by more than 40° meet in a sharp edge: a round shape of ten
/// facets has less.
const double kSharp = std::cos(40 * std::numbers::pi / 180);
/// The parts of the whole way that are tried.
constexpr std::array<double, 3> kSteps = {1, 0.75, 0.5};

class Snapper {
 public:
  Snapper(TetMesh& mesh, const std::vector<bool>& on_surface)
      : mesh_(mesh),
        free_(on_surface),
        first_(mesh.node_count() + 1, 0),
        limit_(std::cos(ImproveOptions{}.wanted_degrees * std::numbers::pi / 180)) {
    for (const std::int32_t n : mesh.T.reshaped()) ++first_[n + 1];
    for (int n = 0; n < mesh.node_count(); ++n) first_[n + 1] += first_[n];
    tets_.resize(first_.back());
    std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
    for (int t = 0; t < mesh.tet_count(); ++t) {
      for (int c = 0; c < 4; ++c) tets_[next[mesh.T(t, c)]++] = t;
    }
  }

  [[nodiscard]] bool is_free(int n) const { return free_[n]; }

  /// Whether the node went at least part of the way; then it stays there.
  bool move(int n, const Vec3& target) {
    const Vec3 from = mesh_.V.row(n);
    const double allowed = std::max(limit_, worst_around(n));
    for (const double step : kSteps) {
      mesh_.V.row(n) = from + step * (target - from);
      if (worst_around(n) <= allowed) {
        free_[n] = false;
        return true;
      }
    }
    mesh_.V.row(n) = from;
    return false;
  }

 private:
  [[nodiscard]] double worst_around(int n) const {
    double worst = -1;
    for (int i = first_[n]; i < first_[n + 1]; ++i) {
      const auto x = [&](int c) { return Vec3(mesh_.V.row(mesh_.T(tets_[i], c))); };
      worst = std::max(worst, angle_cosines(x(0), x(1), x(2), x(3)).of_smallest);
    }
    return worst;
  }

  TetMesh& mesh_;
  std::vector<bool> free_;
  std::vector<std::int32_t> first_;
  std::vector<std::int32_t> tets_;
  double limit_;
};

/// Surface nodes within `reach` of p, nearest first.
std::vector<int> nodes_near(const BoxTree& nodes, const Positions& V, const Vec3& p, double reach) {
  std::vector<std::pair<double, int>> found;
  nodes.walk([&](const Box& box) { return box.squared_distance(p) <= reach * reach; },
             [&](int n) {
               const double d = (V.row(n).transpose() - p).norm();
               if (d <= reach) found.emplace_back(d, n);
             });
  std::sort(found.begin(), found.end());
  std::vector<int> order;
  for (const auto& [distance, n] : found) order.push_back(n);
  return order;
}
}  // namespace

SharpFeatures find_sharp_features(const Soup& body, const Roles& roles) {
  SharpFeatures features;
  FlatMap first(3 * body.F.rows());
  std::vector<int> meeting(body.V.rows(), 0);
  std::vector<std::array<std::int32_t, 3>> edges;
  for (int f = 0; f < body.F.rows(); ++f) {
    if (roles.of[f] != Role::wall) continue;
    for (int c = 0; c < 3; ++c) {
      const std::int32_t u = body.F(f, c);
      const std::int32_t v = body.F(f, (c + 1) % 3);
      bool added = false;
      const int g = first.insert(pair_key(u, v), f, added);
      if (added) continue;
      const Vec3 a = area_vector(triangle(body.V, body.F, f));
      const Vec3 b = area_vector(triangle(body.V, body.F, g));
      if (a.dot(b) >= kSharp * a.norm() * b.norm()) continue;
      edges.push_back({u, v, v});
      ++meeting[u];
      ++meeting[v];
    }
  }
  Triangles F(static_cast<Eigen::Index>(edges.size()), 3);
  for (std::size_t e = 0; e < edges.size(); ++e) F.row(e) << edges[e][0], edges[e][1], edges[e][2];
  features.edges = TriangleTree(body.V, F);
  for (int v = 0; v < body.V.rows(); ++v) {
    if (meeting[v] > 0 && meeting[v] != 2) features.corners.emplace_back(body.V.row(v));
  }
  return features;
}

void snap_to(const SharpFeatures& features, double reach, const std::vector<bool>& on_surface,
             TetMesh& mesh) {
  if (features.empty()) return;
  Snapper snapper(mesh, on_surface);
  std::vector<Box> boxes(mesh.node_count());
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (on_surface[n]) boxes[n].include(Vec3(mesh.V.row(n)));
  }
  const BoxTree nodes(boxes);
  for (const Vec3& corner : features.corners) {
    for (const int n : nodes_near(nodes, mesh.V, corner, reach)) {
      if (on_surface[n] && snapper.is_free(n) && snapper.move(n, corner)) break;
    }
  }
  std::vector<std::pair<double, int>> near_edges;
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (!snapper.is_free(n)) continue;
    const double distance = features.edges.nearest(mesh.V.row(n), 0.5 * reach).distance;
    if (std::isfinite(distance)) near_edges.emplace_back(distance, n);
  }
  std::sort(near_edges.begin(), near_edges.end());
  for (const auto& [distance, n] : near_edges) {
    snapper.move(n, features.edges.nearest(mesh.V.row(n)).point);
  }
}

}  // namespace limber
