// What acts on a body from outside, in world coordinates, each from one time up to another.
#pragma once

#include <limits>
#include <vector>

#include "limber/core/types.h"

namespace limber {

constexpr double kForever = std::numeric_limits<double>::infinity();

struct GravityLoad {
  Vec3 acceleration = Vec3::Zero();  // m/s²
  double from = -kForever;           // s
  double to = kForever;
};

/// `force` acts on each of the nodes: k nodes feel k · force together.
struct NodeForce {
  std::vector<int> nodes;
  Vec3 force = Vec3::Zero();  // N
  double from = -kForever;    // s
  double to = kForever;
};

struct Loads {
  std::vector<GravityLoad> gravity;
  std::vector<NodeForce> forces;
};

/// Throws Error when a number is not finite, a window of time is empty or a node is not in the
/// body.
void check(const Loads& loads, int node_count);

/// The stretch of time over which a load is averaged: a step, or an instant when t0 = t1.
struct TimeSpan {
  double t0 = 0;
  double t1 = 0;

  [[nodiscard]] double middle() const { return (t0 + t1) / 2; }
};

/// How much of the span a load of the window [from, to) acts, 0 to 1.
[[nodiscard]] double share(double from, double to, const TimeSpan& span);

/// Whether nothing of it begins or ends after that time.
[[nodiscard]] bool steady_after(const Loads& loads, double time);

/// The sum of all gravity, averaged over the span.
[[nodiscard]] Vec3 gravity_over(const Loads& loads, const TimeSpan& span);

}  // namespace limber
