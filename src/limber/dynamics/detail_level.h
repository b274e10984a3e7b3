// How much detail a body has, and how much less it could do with: what a world's budget is shared
// out by (world/detail_policy.h).
#pragma once

namespace limber {

/// All that costs time and can be had cheaper. Changes fade: nothing that is seen jumps.
struct DetailLevel {
  int modes = 0;        ///< that move; the others stand where they came to rest
  int local_nodes = 0;  ///< the most that may have local detail
  int interval = 1;     ///< steps in flight that go by one modal force
  int phase = 0;        ///< another one for each body, or all look for their forces at once

  [[nodiscard]] DetailLevel with_interval(int steps) const {
    return {modes, local_nodes, steps, phase};
  }
  friend bool operator==(const DetailLevel&, const DetailLevel&) = default;
};

/// What of it a body can do with less of, at present.
struct DetailChoice {
  bool modes = false;
  bool local_nodes = false;
  bool interval = false;

  [[nodiscard]] bool any() const { return modes || local_nodes || interval; }
};

/// What the cost of a body's step grows with.
struct DetailSize {
  int nodes = 0;  ///< that a step sums over; 0 where it samples few of them, or has none
  DetailLevel full;
};

}  // namespace limber
