#include "limber/contact/surface_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limber {

SurfaceTree::SurfaceTree(const RestSurface& surface) {
  order_.resize(static_cast<std::size_t>(surface.triangle_count()));
  std::iota(order_.begin(), order_.end(), 0);
  build(surface, 0, surface.triangle_count());
}

/// Halves at the median of the middles along their longest side.
int SurfaceTree::build(const RestSurface& surface, int first, int last) {
  const auto number = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  if (last - first <= kLeaf) {
    nodes_.back().first = first;
    nodes_.back().count = last - first;
    return number;
  }
  const auto middle_of = [&](int t) {
    const auto& corners = surface.triangle(t);
    return Vec3(surface.vertex(corners[0]) + surface.vertex(corners[1]) +
                surface.vertex(corners[2]));
  };
  Bounds middles;
  for (int k = first; k < last; ++k) middles.add(middle_of(order_[static_cast<std::size_t>(k)]));
  int axis = 0;
  (middles.high - middles.low).maxCoeff(&axis);
  const int half = (first + last) / 2;
  // By number where they are equal: the same tree with every library.
  std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + last,
                   [&](int a, int b) {
                     const double x = middle_of(a)[axis], y = middle_of(b)[axis];
                     return x < y || (x == y && a < b);
                   });
  build(surface, first, half);
  const int right = build(surface, half, last);
  nodes_[static_cast<std::size_t>(number)].right = right;
  return number;
}

bool SurfaceTree::meets(const Bounds& box, const Vec3& x, const Vec3& d, double length) {
  double from = 0, to = length;
  for (int k = 0; k < 3; ++k) {
    if (d[k] == 0) {
      if (x[k] < box.low[k] || x[k] > box.high[k]) return false;
      continue;
    }
    const double a = (box.low[k] - x[k]) / d[k], b = (box.high[k] - x[k]) / d[k];
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  return from <= to;
}

}  // namespace limber
