#include "limber/contact/contact_queries.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

namespace {

/// The part of a ray inside a box grown by a radius; false when it misses.
bool clip(const Bounds& box, const Vec3& from, const Vec3& d, double radius, double& first,
          double& last) {
  for (int k = 0; k < 3; ++k) {
    const double low = box.low[k] - radius, high = box.high[k] + radius;
    if (d[k] == 0) {
      if (from[k] < low || from[k] > high) return false;
      continue;
    }
    const double a = (low - from[k]) / d[k], b = (high - from[k]) / d[k];
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  }
  return first <= last;
}

/// Where the ray meets the triangle that it was found at, or its neighbours.
bool refine(const PosedCollider& solid, int triangle, const Vec3& from, const Vec3& d,
            double& distance) {
  const RestSurface& surface = *solid.shape().surface();
  for (int k = -1; k < 3; ++k) {
    const int t = k < 0 ? triangle : surface.neighbour(triangle, k);
    if (t < 0) continue;
    const auto& corners = surface.triangle(t);
    const RayHit hit = ray_triangle(from, d, solid.vertex(corners[0]), solid.vertex(corners[1]),
                                    solid.vertex(corners[2]));
    if (hit.hit) {
      distance = hit.t;
      return true;
    }
  }
  return false;
}

CastHit cast_at(const PosedCollider& solid, const Vec3& from, const Vec3& d, double longest,
                double radius) {
  constexpr int kMostSteps = 256;
  constexpr double kNear = 1e-6;    // of the size: touching
  constexpr double kCaution = 0.9;  // distances of bent shapes are nearly exact, not quite
  CastHit result;
  double t = 0, end = longest;
  if (!clip(solid.bounds(), from, d, radius, t, end)) return result;
  const double size = std::max(solid.shape().size(), 1e-3);
  for (int k = 0; k < kMostSteps && t <= end; ++k) {
    const Vec3 x = from + t * d;
    const SolidHit hit = solid.query(x, std::numeric_limits<double>::infinity(), from);
    if (!hit.hit) return result;
    const double gap = hit.distance - radius;
    if (gap <= kNear * size) {
      result.hit = true;
      result.distance = t;
      if (radius == 0 && hit.triangle >= 0) refine(solid, hit.triangle, from, d, result.distance);
      result.normal = hit.normal;
      result.point = radius == 0 ? Vec3(from + result.distance * d) : hit.closest;
      return result;
    }
    t += std::max(kCaution * gap, kNear * size / 2);
  }
  return result;
}

/// A participant as it stands, apart from what steps are about to do with it.
PosedCollider posed_at(const Participant& person, double time) {
  PosedCollider posed = person.posed;
  if (person.body == nullptr) posed.set_obstacle(person.motion.at(time), person.motion.at(time));
  posed.reach(0);
  if (!posed.evaluated()) posed.evaluate();
  return posed;
}

double deepest_in(const PosedCollider& visitor, const PosedCollider& solid) {
  double deepest = 0;
  const Vec3 side = visitor.bounds().middle();
  const double radius = visitor.shape().radius();
  const auto look = [&](const Vec3& x) {
    if (!solid.bounds().contains(x)) return;
    const SolidHit hit = solid.query(x, radius, side);
    if (hit.hit) deepest = std::max(deepest, radius - hit.distance);
  };
  const RestSurface* surface = visitor.shape().surface();
  if (surface == nullptr) {
    for (const PointState& point : visitor.points()) look(point.position);
  } else {
    for (int v = 0; v < surface->vertex_count(); ++v) look(visitor.vertex(v));
  }
  return deepest;
}

}  // namespace

std::vector<double> penetrations(const Contacts& contacts, double time) {
  const int count = contacts.participant_count();
  std::vector<double> deepest(static_cast<std::size_t>(count), 0.0);
  std::vector<PosedCollider> posed;
  for (int who = 0; who < count; ++who) posed.push_back(posed_at(contacts.participant(who), time));
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < count; ++b) {
      const Participant &one = contacts.participant(a), &other = contacts.participant(b);
      if (a == b || !one.alive || !other.alive || one.body == nullptr || !contacts.meet(a, b))
        continue;
      if (!posed[a].bounds().overlaps(posed[b].bounds())) continue;
      deepest[a] = std::max(deepest[a], deepest_in(posed[a], posed[b]));
    }
  }
  // In themselves: as their last step left their own contacts.
  for (const ContactRecord& one : contacts.contacts()) {
    if (one.a == one.b) deepest[one.a] = std::max(deepest[one.a], one.depth);
  }
  return deepest;
}

CastHit cast_sphere(const Contacts& contacts, const Vec3& from, const Vec3& direction,
                    double longest, double radius, std::uint32_t groups) {
  if (!(direction.norm() > 0) || !from.allFinite() || !direction.allFinite() || !(radius >= 0))
    throw Error("a cast needs a start, a direction and a radius that are numbers", "cast",
                "give a direction of any length but zero");
  const Vec3 d = direction.normalized();
  CastHit nearest;
  for (int who = 0; who < contacts.participant_count(); ++who) {
    const Participant& person = contacts.participant(who);
    if (!person.alive || (person.filter.groups & groups) == 0) continue;
    const double reach = nearest.hit ? nearest.distance : longest;
    CastHit hit = cast_at(person.posed, from, d, reach, radius);
    if (!hit.hit || (nearest.hit && hit.distance >= nearest.distance)) continue;
    hit.who = who;
    nearest = hit;
  }
  return nearest;
}

CastHit cast_ray(const Contacts& contacts, const Vec3& from, const Vec3& direction, double longest,
                 std::uint32_t groups) {
  return cast_sphere(contacts, from, direction, longest, 0, groups);
}

}  // namespace limber
