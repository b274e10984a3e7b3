// Boxes along the axes.
#pragma once

#include <limits>

#include "limber/core/types.h"

namespace limber {

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void include(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void include(const Box& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  /// Grown by `margin` on every side.
  [[nodiscard]] Box grown(double margin) const {
    return {low - Vec3::Constant(margin), high + Vec3::Constant(margin)};
  }
  [[nodiscard]] bool empty() const { return !(low[0] <= high[0]); }
  [[nodiscard]] Vec3 centre() const { return 0.5 * (low + high); }
  [[nodiscard]] Vec3 size() const { return high - low; }
  [[nodiscard]] bool overlaps(const Box& other) const {
    return low[0] <= other.high[0] && other.low[0] <= high[0] && low[1] <= other.high[1] &&
           other.low[1] <= high[1] && low[2] <= other.high[2] && other.low[2] <= high[2];
  }
  [[nodiscard]] bool contains(const Vec3& p) const {
    return low[0] <= p[0] && p[0] <= high[0] && low[1] <= p[1] && p[1] <= high[1] &&
           low[2] <= p[2] && p[2] <= high[2];
  }
  /// 0 inside.
  [[nodiscard]] double squared_distance(const Vec3& p) const {
    return (low - p).cwiseMax(p - high).cwiseMax(0.0).squaredNorm();
  }
};

/// The box around all rows; empty for no rows.
inline Box bounds(const Positions& positions) {
  Box box;
  for (Eigen::Index i = 0; i < positions.rows(); ++i) box.include(positions.row(i).transpose());
  return box;
}

}  // namespace limber
