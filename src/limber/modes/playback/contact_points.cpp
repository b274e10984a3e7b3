#include "limber/modes/playback/contact_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

namespace {

/// The 26 directions of a cube's corners, edges and faces, in that order.
std::vector<Vec3> support_directions() {
  std::vector<Vec3> directions;
  for (int nonzero = 3; nonzero >= 1; --nonzero) {
    for (int code = 0; code < 27; ++code) {
      const Vec3 d(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1);
      if ((d.array() != 0).count() == nonzero) directions.push_back(d.normalized());
    }
  }
  return directions;
}

}  // namespace

std::vector<std::int32_t> choose_contact_points(const Eigen::Ref<const Positions>& vertices,
                                                const Eigen::Ref<const Triangles>& triangles,
                                                int count) {
  std::vector<std::int32_t> used(triangles.data(), triangles.data() + triangles.size());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<std::int32_t> chosen;
  if (used.empty() || count <= 0) return chosen;
  const auto place = [&](std::int32_t v) { return Vec3(vertices.row(v).transpose()); };
  Vec3 low = place(used[0]), high = low;
  for (const std::int32_t v : used) {
    low = low.cwiseMin(place(v));
    high = high.cwiseMax(place(v));
  }
  const Vec3 middle = (low + high) / 2;
  // Vertices that are equally far to rounding: the one farthest from the middle, a corner, wins.
  const double tie = 1e-9 * (high - low).norm();
  std::vector<double> squared(used.size(), std::numeric_limits<double>::infinity());
  const auto take = [&](std::size_t index) {
    chosen.push_back(used[index]);
    const Vec3 x = place(used[index]);
    for (std::size_t k = 0; k < used.size(); ++k) {
      squared[k] = std::min(squared[k], (place(used[k]) - x).squaredNorm());
    }
  };
  const auto most = static_cast<std::size_t>(count);
  for (const Vec3& d : support_directions()) {
    std::size_t best = 0;
    double height = -std::numeric_limits<double>::infinity(), radius = 0;
    for (std::size_t k = 0; k < used.size(); ++k) {
      const Vec3 x = place(used[k]) - middle;
      const double h = d.dot(x), r = x.norm();
      if (h > height + tie || (h > height - tie && r > radius + tie)) {
        best = k;
        height = h;
        radius = r;
      }
    }
    if (squared[best] > 0 && chosen.size() < most) take(best);
  }
  while (chosen.size() < most) {
    const auto farthest = std::max_element(squared.begin(), squared.end());
    if (!(*farthest > 0)) break;
    take(static_cast<std::size_t>(farthest - squared.begin()));
  }
  return chosen;
}

}  // namespace limber
