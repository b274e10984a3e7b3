#include "limber/contact/broad_phase.h"

#include <algorithm>

namespace limber {

std::span<const OverlapPair> BroadPhase::find(std::span<const Bounds> boxes) {
  const int count = static_cast<int>(boxes.size());
  if (static_cast<int>(order_.size()) != count) {
    order_.resize(boxes.size());
    for (int k = 0; k < count; ++k) order_[k] = k;
  }
  // Equal boxes by number: the same order whatever came before.
  const auto before = [&](int a, int b) {
    const double x = boxes[a].low.x(), y = boxes[b].low.x();
    return x < y || (x == y && a < b);
  };
  for (int k = 1; k < count; ++k) {  // nearly sorted already
    const int moving = order_[k];
    int at = k;
    for (; at > 0 && before(moving, order_[at - 1]); --at) order_[at] = order_[at - 1];
    order_[at] = moving;
  }
  pairs_.clear();
  open_.clear();
  for (const int now : order_) {
    const double left = boxes[now].low.x();
    std::erase_if(open_, [&](int other) { return boxes[other].high.x() < left; });
    for (const int other : open_) {
      if (boxes[now].overlaps(boxes[other]))
        pairs_.push_back({std::min(now, other), std::max(now, other)});
    }
    open_.push_back(now);
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const OverlapPair& x, const OverlapPair& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  return pairs_;
}

}  // namespace limber
