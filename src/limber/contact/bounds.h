// Boxes along the world's axes.
#pragma once

#include <limits>

#include "limber/core/types.h"

namespace limber {

struct Bounds {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  static Bounds everywhere() {
    Bounds all;
    std::swap(all.low, all.high);
    return all;
  }
  void add(const Vec3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  void grow(double by) {
    low.array() -= by;
    high.array() += by;
  }
  [[nodiscard]] bool overlaps(const Bounds& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
  [[nodiscard]] bool contains(const Vec3& x) const {
    return (low.array() <= x.array()).all() && (x.array() <= high.array()).all();
  }
  [[nodiscard]] Vec3 middle() const { return (low + high) / 2; }
};

}  // namespace limber
