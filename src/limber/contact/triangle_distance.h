// The point of a triangle nearest to another point
// (Ericson 2005, "Real-time collision detection", 5.1.5), and where a ray meets it.
#pragma once

#include "limber/core/types.h"

namespace limber {

enum class TriangleFeature : std::int8_t { face, edge0, edge1, edge2, corner0, corner1, corner2 };

/// Edge k runs from corner k to corner k+1.
struct TrianglePoint {
  Vec3 weights = Vec3::Zero();  // of the corners, summing to one
  Vec3 point = Vec3::Zero();
  double squared = 0;  // distance to it, m²
  TriangleFeature feature = TriangleFeature::face;
};

/// A triangle from its first corner, with the products that questions to it share.
struct TriangleSpan {
  Vec3 a, ab, ac;
  double bb, bc, cc;  ///< ab·ab, ab·ac, ac·ac

  TriangleSpan(const Vec3& first, const Vec3& second, const Vec3& third)
      : a(first),
        ab(second - first),
        ac(third - first),
        bb(ab.dot(ab)),
        bc(ab.dot(ac)),
        cc(ac.dot(ac)) {}
};

/// Along ab, across it, and the normal.
[[nodiscard]] Mat3 frame_of(const TriangleSpan& triangle);
[[nodiscard]] TrianglePoint nearest_on_triangle(const Vec3& x, const TriangleSpan& triangle);
[[nodiscard]] TrianglePoint nearest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b,
                                                const Vec3& c);

/// Where a ray from o along d (any length) meets a triangle, from either side: o + t d, t ≥ 0.
struct RayHit {
  bool hit = false;
  double t = 0;
  Vec3 weights = Vec3::Zero();
};
[[nodiscard]] RayHit ray_triangle(const Vec3& o, const Vec3& d, const Vec3& a, const Vec3& b,
                                  const Vec3& c);

}  // namespace limber
