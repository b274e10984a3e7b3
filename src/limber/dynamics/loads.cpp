#include "limber/dynamics/loads.h"

#include <algorithm>
#include <string>

#include "limber/core/error.h"

namespace limber {

namespace {

void check(const Vec3& vector, double from, double to, const std::string& where) {
  if (!vector.allFinite()) {
    throw Error("a component is not finite", where, "give three finite numbers");
  }
  if (!(from < to)) {
    throw Error("its window of time is empty", where, "let `from` lie before `to`");
  }
}

}  // namespace

void check(const Loads& loads, int node_count) {
  for (const GravityLoad& gravity : loads.gravity) {
    check(gravity.acceleration, gravity.from, gravity.to, "gravity");
  }
  for (std::size_t k = 0; k < loads.forces.size(); ++k) {
    const NodeForce& force = loads.forces[k];
    const std::string where = "force " + std::to_string(k);
    check(force.force, force.from, force.to, where);
    for (const int node : force.nodes) {
      if (node < 0 || node >= node_count) {
        throw Error("there is no node " + std::to_string(node), where,
                    "name nodes from 0 to " + std::to_string(node_count - 1));
      }
    }
  }
}

double share(double from, double to, const TimeSpan& span) {
  const auto [t0, t1] = span;
  if (t0 == t1) return from <= t0 && t0 < to ? 1 : 0;
  return std::clamp((std::min(to, t1) - std::max(from, t0)) / (t1 - t0), 0.0, 1.0);
}

Vec3 gravity_over(const Loads& loads, const TimeSpan& span) {
  Vec3 sum = Vec3::Zero();
  for (const GravityLoad& gravity : loads.gravity) {
    sum += share(gravity.from, gravity.to, span) * gravity.acceleration;
  }
  return sum;
}

bool steady_after(const Loads& loads, double time) {
  const auto steady = [&](const auto& load) {
    return load.to <= time || (load.from <= time && load.to == kForever);
  };
  return std::all_of(loads.gravity.begin(), loads.gravity.end(), steady) &&
         std::all_of(loads.forces.begin(), loads.forces.end(), steady);
}

}  // namespace limber
