// Who is in the way of a ray or of a ball that flies along it, in the shapes that bodies have now.
//
// Call Contacts::refresh() after the world has moved. Casts go forward by the distance to the
// nearest solid (sphere tracing, Hart 1996), so that a ray and a ball are the same question.
#pragma once

#include "limber/contact/contacts.h"

namespace limber {

struct CastHit {
  bool hit = false;
  int who = -1;
  double distance = 0;  ///< of the ray's start, or of the ball's centre, to where it touches, m
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  ///< out of what was hit
};

/// `direction` of any length but zero; `groups`: only participants in one of them.
[[nodiscard]] CastHit cast_ray(const Contacts& contacts, const Vec3& from, const Vec3& direction,
                               double longest, std::uint32_t groups = ~0U);
/// A ball of this radius. One that touches already is hit at distance 0.
[[nodiscard]] CastHit cast_sphere(const Contacts& contacts, const Vec3& from, const Vec3& direction,
                                  double longest, double radius, std::uint32_t groups = ~0U);

/// How deep the deepest surface vertex of each participant lies in any other one that it may touch,
/// in the shapes of that time, m; 0 where none does.
[[nodiscard]] std::vector<double> penetrations(const Contacts& contacts, double time);

}  // namespace limber
