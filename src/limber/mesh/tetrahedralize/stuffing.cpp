#include "limber/mesh/tetrahedralize/stuffing.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <optional>

#include "limber/mesh/spatial/flat_map.h"
#include "limber/mesh/tetrahedralize/stuffing_stencils.h"
#include "limber/mesh/tetrahedralize/tet_angles.h"

namespace limber {

namespace {
/// A cut point nearer than this fraction of the edge moves the node. Long edges lie along the axes,
/// short ones along the cube's diagonals.
/// Deviates: Labelle & Shewchuk 2007 take 0.24999 and 0.41189 with their parity rule; with the
/// diagonals chosen here these give 11.5° to 158.2° over all cuts tried, theirs 9.3° to 161.7°.
constexpr double kAlphaLong = 0.26;
constexpr double kAlphaShort = 0.37;
/// Edges across a square occur only between sizes; in between.
constexpr double kAlphaAcross = 0.31;

/// Between sizes a node may not move as far as its longest edges allow, or it would turn its
/// smallest tets over: an edge counts at most this many times as long as on a lattice of one size
/// whose short edges are the node's shortest. Found by cutting graded grids with random planes.
constexpr double kLongestCounted = 1.3;

struct EdgeRule {
  double alpha;
  double per_short_edge;  ///< length on a lattice of one size, short edges being 1
};

EdgeRule edge_rule(const Place& a, const Place& b) {
  const int equal = static_cast<int>(a[0] == b[0]) + static_cast<int>(a[1] == b[1]) +
                    static_cast<int>(a[2] == b[2]);
  if (equal == 2) return {kAlphaLong, 2 / std::numbers::sqrt3};
  return {equal == 1 ? kAlphaAcross : kAlphaShort, 1};
}

struct Cut {
  std::int32_t in;
  std::int32_t out;
  double at;  ///< fraction of the way from in to out
  bool dropped = false;
  std::int32_t node = -1;
};

class Stuffer {
 public:
  Stuffer(const BackgroundGrid& grid, const std::vector<bool>& inside,
          const std::function<double(const Vec3&, const Vec3&)>& crossing)
      : grid_(grid), positions_(grid.nodes), signs_(grid.nodes.size()) {
    for (std::size_t n = 0; n < signs_.size(); ++n) signs_[n] = inside[n] ? 1 : -1;
    find_cuts(crossing);
    find_shortest_edges();
    warp();
    fill();
  }

  Stuffed take();

 private:
  void find_cuts(const std::function<double(const Vec3&, const Vec3&)>& crossing) {
    for (const auto& tet : grid_.tets) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          if (signs_[tet[i]] < 0 || signs_[tet[j]] > 0) continue;
          bool added = false;
          cut_of_.insert(pair_key(tet[i], tet[j]), static_cast<std::int32_t>(cuts_.size()), added);
          if (added) cuts_.push_back({tet[i], tet[j], 0.5});
        }
      }
    }
    for (Cut& cut : cuts_) {
      const double at = crossing(positions_[cut.in], positions_[cut.out]);
      cut.at = std::clamp(at, 1e-9, 1 - 1e-9);
    }
  }

  [[nodiscard]] Vec3 point(const Cut& cut) const {
    return grid_.nodes[cut.in] + cut.at * (grid_.nodes[cut.out] - grid_.nodes[cut.in]);
  }

  void find_shortest_edges() {
    shortest_edge_.assign(signs_.size(), std::numeric_limits<double>::infinity());
    for (const auto& tet : grid_.tets) {
      for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) {
          const double length = (grid_.nodes[tet[i]] - grid_.nodes[tet[j]]).norm();
          shortest_edge_[tet[i]] = std::min(shortest_edge_[tet[i]], length);
          shortest_edge_[tet[j]] = std::min(shortest_edge_[tet[j]], length);
        }
      }
    }
  }

  /// How far the cut point is from an end of its edge, when that is too near.
  [[nodiscard]] std::optional<double> too_near(const Cut& cut, std::int32_t end) const {
    const EdgeRule rule = edge_rule(grid_.places[cut.in], grid_.places[cut.out]);
    const double length = (grid_.nodes[cut.in] - grid_.nodes[cut.out]).norm();
    const double distance = (cut.in == end ? cut.at : 1 - cut.at) * length;
    const double counted = kLongestCounted * rule.per_short_edge * shortest_edge_[end];
    if (distance >= rule.alpha * std::min(length, counted)) return std::nullopt;
    return distance;
  }

  /// Each node with a cut point too near moves onto the nearest such one.
  void warp() {
    std::vector<std::int32_t> first(signs_.size() + 1, 0);
    for (const Cut& cut : cuts_) {
      ++first[cut.in + 1];
      ++first[cut.out + 1];
    }
    for (std::size_t n = 0; n < signs_.size(); ++n) first[n + 1] += first[n];
    std::vector<std::int32_t> cuts_at(first.back());
    std::vector<std::int32_t> next(first.begin(), first.end() - 1);
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(cuts_.size()); ++c) {
      cuts_at[next[cuts_[c].in]++] = c;
      cuts_at[next[cuts_[c].out]++] = c;
    }
    for (std::int32_t n = 0; n < static_cast<std::int32_t>(signs_.size()); ++n) {
      const Cut* nearest = nullptr;
      double nearest_distance = std::numeric_limits<double>::infinity();
      for (int i = first[n]; i < first[n + 1]; ++i) {
        const Cut& cut = cuts_[cuts_at[i]];
        const auto distance = cut.dropped ? std::nullopt : too_near(cut, n);
        if (!distance || *distance >= nearest_distance) continue;
        nearest = &cut;
        nearest_distance = *distance;
      }
      if (nearest == nullptr) continue;
      positions_[n] = point(*nearest);
      signs_[n] = 0;
      for (int i = first[n]; i < first[n + 1]; ++i) cuts_[cuts_at[i]].dropped = true;
    }
  }

  void fill() {
    for (Cut& cut : cuts_) {
      if (cut.dropped) continue;
      cut.node = static_cast<std::int32_t>(positions_.size());
      positions_.push_back(point(cut));
    }
    for (const auto& tet : grid_.tets) {
      std::array<StencilCorner, 4> corners;
      int inside = 0;
      for (int i = 0; i < 4; ++i) {
        corners[i] = {tet[i], signs_[tet[i]]};
        inside += signs_[tet[i]] > 0 ? 1 : 0;
      }
      if (inside > 0) add(cut_tet(corners, cuts_within(corners)));
    }
  }

  [[nodiscard]] std::array<std::array<StencilCut, 4>, 4> cuts_within(
      const std::array<StencilCorner, 4>& corners) const {
    std::array<std::array<StencilCut, 4>, 4> cuts;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (corners[i].sign <= 0 || corners[j].sign >= 0) continue;
        const std::int32_t c = cut_of_.find(pair_key(corners[i].node, corners[j].node));
        const Cut& cut = cuts_[c];
        const double length = (grid_.nodes[cut.in] - grid_.nodes[cut.out]).norm();
        cuts[i][j] = {cut.node, cut.at * length};
      }
    }
    return cuts;
  }

  [[nodiscard]] double worst_cosine(const std::array<std::int32_t, 4>& t) const {
    const AngleCosines c =
        angle_cosines(positions_[t[0]], positions_[t[1]], positions_[t[2]], positions_[t[3]]);
    return std::max(c.of_smallest, -c.of_largest);
  }

  void add(const StencilTets& stencil) {
    std::array<std::array<std::int32_t, 4>, 3> tets = stencil.tets;
    if (stencil.choice) {
      const auto& other = stencil.alternative;
      const double as_is = std::max(worst_cosine(tets[1]), worst_cosine(tets[2]));
      const double instead = std::max(worst_cosine(other[0]), worst_cosine(other[1]));
      if (instead < as_is) {
        tets[1] = other[0];
        tets[2] = other[1];
      }
    }
    for (int i = 0; i < stencil.count; ++i) tets_.push_back(tets[i]);
  }

  const BackgroundGrid& grid_;
  std::vector<Vec3> positions_;
  std::vector<int> signs_;
  std::vector<double> shortest_edge_;  ///< at each node
  std::vector<Cut> cuts_;
  FlatMap cut_of_;
  std::vector<std::array<std::int32_t, 4>> tets_;
};

/// Keeps the nodes in use.
Stuffed Stuffer::take() {
  std::vector<std::int32_t> number(positions_.size(), -1);
  Stuffed out;
  std::vector<std::int32_t> used;
  out.mesh.T.resize(static_cast<Eigen::Index>(tets_.size()), 4);
  for (std::size_t t = 0; t < tets_.size(); ++t) {
    for (int c = 0; c < 4; ++c) {
      std::int32_t& n = number[tets_[t][c]];
      if (n < 0) {
        n = static_cast<std::int32_t>(used.size());
        used.push_back(tets_[t][c]);
      }
      out.mesh.T(t, c) = n;
    }
  }
  out.mesh.V.resize(static_cast<Eigen::Index>(used.size()), 3);
  for (std::size_t n = 0; n < used.size(); ++n) {
    out.mesh.V.row(n) = positions_[used[n]];
    const bool cut_point = used[n] >= static_cast<std::int32_t>(signs_.size());
    out.on_surface.push_back(cut_point || signs_[used[n]] == 0);
  }
  return out;
}
}  // namespace

Stuffed stuff(const BackgroundGrid& grid, const std::vector<bool>& inside,
              const std::function<double(const Vec3&, const Vec3&)>& crossing) {
  return Stuffer(grid, inside, crossing).take();
}

}  // namespace limber
