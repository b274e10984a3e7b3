// What a body's step costs, as a model: a pure function of what the body is, does and has, so that
// decisions by it are the same on every run. Calibrate `machine` for the machine at hand, or set it
// once for all: clocks are read in calibrate_machine() alone.
//
// Symbols: n nodes that a step sums over, m modes that move, l local nodes, k steps that share a
// force, c contacts. In flight, on a support or free:
//   step + mode·m + n (node + sum·m)/k + local·(3l)²
// touching:
//   step + touch + touch_mode·m + n (touch_node + touch_sum·m) + touch_local·(3l)²
//   + c (contact + column·(m + 3l + 6))
#pragma once

#include "limber/dynamics/detail_level.h"

namespace limber {

/// µs each; see docs/methods/local.md for where they come from.
struct DetailCosts {
  DetailCosts();
  double machine;  ///< how many times slower than the one they were measured on
  double step, mode, local;
  double node, sum;            ///< of a body on a support
  double free_node, free_sum;  ///< of a free one: its mass centre and inertia too
  double touch, touch_mode, touch_node, touch_sum, touch_local, contact, column;
  double other_node;  ///< of bodies without modes
};

/// Throws Error where one is not positive and finite.
void check(const DetailCosts& costs);

/// A body as the model sees it.
struct BodyWork {
  DetailSize size;
  int nodes = 0;  ///< all of them
  bool modal = true;
  bool free = false;
  bool touching = false;
  int contacts = 0;
};

/// µs a step.
[[nodiscard]] double step_cost(const DetailCosts& costs, const BodyWork& work,
                               const DetailLevel& level);

/// How many times slower this machine is at sums over nodes and modes than the one that the
/// constants of DetailCosts are from. Takes some milliseconds.
[[nodiscard]] double calibrate_machine();

}  // namespace limber
