// Nearest points and crossings of a triangle soup.
#pragma once

#include <limits>
#include <vector>

#include "limber/mesh/spatial/box_tree.h"
#include "limber/mesh/spatial/triangle_tests.h"

namespace limber {

struct NearestTriangle {
  int triangle = -1;  ///< -1 when nothing lies within the limit
  Vec3 point = Vec3::Zero();
  double distance = std::numeric_limits<double>::infinity();
};

struct Crossing {
  int triangle;
  double at;  ///< 0 at the segment's start, 1 at its end
};

class TriangleTree {
 public:
  TriangleTree() = default;
  TriangleTree(const Positions& V, const Triangles& F);

  [[nodiscard]] bool empty() const { return triangles_.empty(); }
  [[nodiscard]] int size() const { return static_cast<int>(triangles_.size()); }
  [[nodiscard]] const Triangle& operator[](int f) const { return triangles_[f]; }
  [[nodiscard]] const BoxTree& tree() const { return tree_; }

  [[nodiscard]] NearestTriangle nearest(
      const Vec3& p, double limit = std::numeric_limits<double>::infinity()) const;

  /// Every crossing of the segment from p to q, from p onward; a hit on a common edge counts for
  /// each triangle.
  [[nodiscard]] std::vector<Crossing> crossings(const Vec3& p, const Vec3& q) const;

  /// The first of them that is not `skipped`; triangle -1 when there is none.
  [[nodiscard]] Crossing first_crossing(const Vec3& p, const Vec3& q, int skipped) const;

  /// Calls visit(f) for triangles whose boxes overlap `box`.
  template <class Visit>
  void for_each_near(const Box& box, const Visit& visit) const {
    tree_.walk([&](const Box& node) { return node.overlaps(box); }, visit);
  }

 private:
  std::vector<Triangle> triangles_;
  BoxTree tree_;
};

}  // namespace limber
