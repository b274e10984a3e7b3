// A forest of octrees over a box of cubes, refined where asked and balanced so that leaves with a
// common face or edge differ by at most one level. The background of both ways to fill a surface.
//
// Places are whole numbers of half a finest leaf's side, so that corners and centres of all leaves
// are exact. A leaf of level k is 2·2^k wide; level 0 is the finest.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "limber/mesh/spatial/box.h"

namespace limber {

using Place = std::array<std::int32_t, 3>;

class Octree {
 public:
  struct Node {
    Place low{};
    std::int32_t child = -1;  ///< the first of eight, x fastest; -1 for a leaf
    std::int32_t level = 0;
    [[nodiscard]] bool leaf() const { return child < 0; }
    [[nodiscard]] std::int32_t width() const { return 2 << level; }
  };

  /// `roots` cubes of `root_level` from `origin` on; `unit` metres are half a finest leaf.
  Octree(const Vec3& origin, double unit, const std::array<int, 3>& roots, int root_level);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] int root_count() const { return roots_[0] * roots_[1] * roots_[2]; }
  [[nodiscard]] Vec3 position(const Place& place) const {
    return origin_ + unit_ * Vec3(place[0], place[1], place[2]);
  }
  [[nodiscard]] double unit() const { return unit_; }
  [[nodiscard]] Place centre(const Node& node) const {
    const std::int32_t half = node.width() / 2;
    return {node.low[0] + half, node.low[1] + half, node.low[2] + half};
  }
  [[nodiscard]] Box box(const Node& node) const {
    const std::int32_t w = node.width();
    return {position(node.low), position({node.low[0] + w, node.low[1] + w, node.low[2] + w})};
  }

  /// The leaf around the middle of the unit cube at `place`; -1 outside.
  [[nodiscard]] int leaf_at(const Place& place) const;
  /// The leaf around a place in metres; -1 outside.
  [[nodiscard]] int leaf_at(const Vec3& position) const;

  /// Calls visit(root) for the roots that overlap `box`.
  template <class Visit>
  void for_each_root_in(const Box& box, const Visit& visit) const {
    std::array<int, 3> from{};
    std::array<int, 3> to{};
    for (int c = 0; c < 3; ++c) {
      const double width = unit_ * (2 << root_level_);
      from[c] = std::clamp(static_cast<int>(std::floor((box.low[c] - origin_[c]) / width)), 0,
                           roots_[c] - 1);
      to[c] = std::clamp(static_cast<int>(std::floor((box.high[c] - origin_[c]) / width)), 0,
                         roots_[c] - 1);
    }
    for (int k = from[2]; k <= to[2]; ++k) {
      for (int j = from[1]; j <= to[1]; ++j) {
        for (int i = from[0]; i <= to[0]; ++i) visit(i + roots_[0] * (j + roots_[1] * k));
      }
    }
  }

  /// About 40 million tets, some gigabytes: more is a mistake.
  static constexpr std::size_t kMostNodes = 6'000'000;

  /// Throws Error beyond kMostNodes.
  void split(int node);
  /// Splits until no leaf at `place` is above `level`.
  void refine_at(const Place& place, int level);
  /// Splits every leaf with `wants(leaf)` until none is left that does.
  void refine_where(const std::function<bool(const Node&)>& wants);
  /// Splits until neighbours across faces and edges differ by one level at most.
  void balance();

 private:
  Vec3 origin_;
  double unit_;
  std::array<int, 3> roots_;
  int root_level_;
  std::vector<Node> nodes_;
};

/// Offsets to the 26 neighbours of a cube; the first 6 share a face, the first 18 an edge.
const std::array<Place, 26>& neighbour_offsets();

}  // namespace limber
