#include "limber/world/detail_policy.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

void check(const DetailView& view) {
  if (!view.eye.allFinite() || !view.towards.allFinite()) {
    throw Error("the view is not finite", "view", "give three numbers for the eye and for \"at\"");
  }
  if (!(view.half_angle > 0 && view.half_angle < 3.2)) {
    throw Error("the angle of view is out of range", "view", "give one between 0 and 360 degrees");
  }
}

double seen_size(const DetailView& view, const SeenBody& body) {
  const double size = 2 * body.radius;
  double seen = body.importance * size;
  if (view.given) {
    const Vec3 way = body.centre - view.eye;
    const double distance = std::max(way.norm(), body.radius);
    if (distance > 0) seen /= distance;
    const double length = view.towards.norm();
    if (length > 0 && distance > body.radius) {
      const double cosine = std::clamp(way.dot(view.towards) / (distance * length), -1.0, 1.0);
      const double beyond = std::acos(cosine) - std::asin(std::min(1.0, body.radius / distance));
      if (beyond > view.half_angle) seen /= 8;
    }
  }
  if (body.touching) seen *= 2;
  if (size > 0) seen *= 1 + std::min(1.0, body.speed / size);
  return seen;
}

DetailLevel level_at(int rung, const DetailLevel& full) {
  constexpr int kFewModes = 4;
  DetailLevel level;
  const double modes = std::ceil(full.modes * std::exp2(-0.5 * rung) - 1e-9);
  level.modes = std::max(std::min(full.modes, kFewModes), static_cast<int>(modes));
  level.local_nodes = rung == kDetailRungs - 1 ? 0 : full.local_nodes >> rung;
  level.interval = std::max(1, std::min(full.interval, 1 << rung));
  return level;
}

DetailLevel level_of(const DetailRequest& body, int rung) {
  const DetailLevel& full = body.work.size.full;
  DetailLevel level = level_at(rung, full);
  if (!body.choice.modes) level.modes = full.modes;
  if (!body.choice.local_nodes) level.local_nodes = full.local_nodes;
  if (!body.choice.interval) level.interval = 1;
  return level;
}

namespace {

constexpr int kPerOctave = 4;
constexpr int kLeast = -30 * kPerOctave, kMost = 20 * kPerOctave;

double allowed_error(int step) { return std::exp2(static_cast<double>(step) / kPerOctave); }

int rung_for(double seen, double allowed) {
  if (!(seen > 0)) return kDetailRungs - 1;
  const double halvings = std::ceil(1 + std::log2(allowed / seen) - 1e-9);
  return static_cast<int>(std::clamp<double>(halvings, 0, kDetailRungs - 1));
}

/// Modes that have yet to stop cost what they cost; local nodes are those that there are, and room
/// for a few more where it touches.
double cost_at(const DetailRequest& body, const DetailCosts& costs, int rung) {
  constexpr int kMayCome = 4;
  DetailLevel level = level_of(body, rung);
  level.modes = std::max(level.modes, std::min(body.now.modes, body.work.size.full.modes));
  const int coming = body.now.local_nodes + (body.work.touching ? kMayCome : 0);
  level.local_nodes = std::min(level.local_nodes, coming);
  return step_cost(costs, body.work, level);
}

}  // namespace

DetailShares share_budget(std::span<DetailRequest> bodies, const DetailCosts& costs,
                          double microseconds) {
  const auto total = [&](int step) {
    const double allowed = allowed_error(step);
    double sum = 0;
    for (DetailRequest& body : bodies) {
      body.rung = body.choice.any() ? rung_for(body.seen, allowed) : 0;
      sum += cost_at(body, costs, body.rung);
    }
    return sum;
  };
  // The least error that can be paid for: costs fall with it.
  int low = kLeast, high = kMost;
  DetailShares shares;
  shares.cost = total(low);
  if (shares.cost > microseconds) {
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      (total(middle) > microseconds ? low : high) = middle;
    }
    shares.cost = total(high);
    low = high;
  }
  shares.allowed = allowed_error(low);
  shares.held = shares.cost <= microseconds;
  return shares;
}

}  // namespace limber
