// Pairs of boxes that overlap, by sorting along an axis and sweeping (Baraff 1992).
#pragma once

#include <span>
#include <vector>

#include "limber/contact/bounds.h"

namespace limber {

struct OverlapPair {
  int a, b;  // a < b
};

class BroadPhase {
 public:
  /// Ascending by a, then b. The order of the last call is kept as a start, so that sorting costs
  /// next to nothing while little moves; nothing is allocated while the counts stay the same.
  std::span<const OverlapPair> find(std::span<const Bounds> boxes);

 private:
  std::vector<int> order_;
  std::vector<int> open_;
  std::vector<OverlapPair> pairs_;
};

}  // namespace limber
