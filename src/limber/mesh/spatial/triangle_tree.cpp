#include "limber/mesh/spatial/triangle_tree.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {
/// Slab test of a segment given by its start and the reciprocal of its direction.
struct SegmentSlabs {
  Vec3 start;
  Vec3 inverse;

  SegmentSlabs(const Vec3& p, const Vec3& q) : start(p), inverse((q - p).cwiseInverse()) {}

  /// Whether the part of the segment up to `far` enters.
  [[nodiscard]] bool enters(const Box& box, double far = 1) const {
    double near = 0;
    for (int c = 0; c < 3; ++c) {
      const double t0 = (box.low[c] - start[c]) * inverse[c];
      const double t1 = (box.high[c] - start[c]) * inverse[c];
      // 0·∞ is NaN when the segment runs in a face plane: std::max and min keep the old bound then.
      near = std::max(near, std::min(t0, t1));
      far = std::min(far, std::max(t0, t1));
    }
    return near <= far;
  }
};
}  // namespace

TriangleTree::TriangleTree(const Positions& V, const Triangles& F) : triangles_(F.rows()) {
  std::vector<Box> boxes(triangles_.size());
  for (std::size_t f = 0; f < triangles_.size(); ++f) {
    triangles_[f] = triangle(V, F, static_cast<int>(f));
    boxes[f] = bounds(triangles_[f]);
  }
  tree_ = BoxTree(boxes);
}

NearestTriangle TriangleTree::nearest(const Vec3& p, double limit) const {
  NearestTriangle best;
  double squared = limit * limit;
  tree_.walk_nearest(p, squared, [&](int f) {
    const Vec3 candidate = nearest_point(triangles_[f], p);
    const double d = (candidate - p).squaredNorm();
    if (d < squared || (d == squared && best.triangle < 0)) {
      squared = d;
      best.triangle = f;
      best.point = candidate;
    }
    return squared;
  });
  if (best.triangle >= 0) best.distance = std::sqrt(squared);
  return best;
}

std::vector<Crossing> TriangleTree::crossings(const Vec3& p, const Vec3& q) const {
  std::vector<Crossing> found;
  const SegmentSlabs slabs(p, q);
  tree_.walk([&](const Box& box) { return slabs.enters(box); },
             [&](int f) {
               if (const auto at = crossing(triangles_[f], p, q)) found.push_back({f, *at});
             });
  std::sort(found.begin(), found.end(),
            [](const Crossing& a, const Crossing& b) { return a.at < b.at; });
  return found;
}

Crossing TriangleTree::first_crossing(const Vec3& p, const Vec3& q, int skipped) const {
  Crossing first{-1, 1};
  const SegmentSlabs slabs(p, q);
  tree_.walk([&](const Box& box) { return slabs.enters(box, first.at); },
             [&](int f) {
               const auto at = f == skipped ? std::nullopt : crossing(triangles_[f], p, q);
               if (at && *at <= first.at) first = {f, *at};
             });
  return first;
}

}  // namespace limber
