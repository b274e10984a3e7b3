#include "limber/mesh/tetrahedralize/self_intersections.h"

namespace limber {

namespace {
/// Parts that come this near, relative to the surface's size, were drawn to touch: ten times what
/// rounding to single precision moves a point.
constexpr double kTouchFraction = 1e-6;

/// Corner of f that is also a corner of g, and how many such there are.
struct Common {
  int count = 0;
  int corner_f = -1;
  int corner_g = -1;
};

Common common_corners(const Triangles& F, int f, int g) {
  Common common;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (F(f, i) != F(g, j)) continue;
      ++common.count;
      common.corner_f = i;
      common.corner_g = j;
    }
  }
  return common;
}

/// With one common corner, the side opposite to it of either must go through the other.
bool cross_away_from(const Triangle& s, int corner_s, const Triangle& t, int corner_t) {
  return crossing(t, s[(corner_s + 1) % 3], s[(corner_s + 2) % 3]).has_value() ||
         crossing(s, t[(corner_t + 1) % 3], t[(corner_t + 2) % 3]).has_value();
}
}  // namespace

SelfIntersections find_self_intersections(const Soup& soup, const TriangleTree& tree,
                                          const std::vector<int>& part_of) {
  SelfIntersections found;
  const double slack = kTouchFraction * soup.size;
  for (int f = 0; f < tree.size(); ++f) {
    tree.for_each_near(bounds(tree[f]).grown(slack), [&](int g) {
      if (g <= f) return;
      const Common common = common_corners(soup.F, f, g);
      if (common.count >= 2) return;
      if (common.count == 1) {
        const bool cross = cross_away_from(tree[f], common.corner_f, tree[g], common.corner_g);
        found.crossing_pairs += cross ? 1 : 0;
        return;
      }
      const bool cross = triangles_cross(tree[f], tree[g]);
      found.crossing_pairs += cross ? 1 : 0;
      if (cross || (part_of[f] != part_of[g] && within(tree[f], tree[g], slack))) {
        found.touching.emplace_back(f, g);
      }
    });
  }
  return found;
}

}  // namespace limber
