// Questions about single triangles: nearest point, crossings, overlap with boxes, tets and each
// other. Overlaps are tested by separating axes (two convex bodies are apart exactly when they are
// apart along a face normal or along the cross product of two edges), so `slack` means: a gap
// below it still counts as touching. Degenerate triangles are allowed.
#pragma once

#include <array>
#include <optional>

#include "limber/mesh/spatial/box.h"

namespace limber {

using Triangle = std::array<Vec3, 3>;

inline Triangle triangle(const Positions& V, const Triangles& F, int f) {
  return {V.row(F(f, 0)).transpose(), V.row(F(f, 1)).transpose(), V.row(F(f, 2)).transpose()};
}
inline Box bounds(const Triangle& t) {
  return {t[0].cwiseMin(t[1]).cwiseMin(t[2]), t[0].cwiseMax(t[1]).cwiseMax(t[2])};
}
/// Twice the area, along the outward normal.
Vec3 area_vector(const Triangle& t);

Vec3 nearest_point(const Triangle& t, const Vec3& p);

/// Where the segment from p to q goes through t, 0 at p to 1 at q. Nothing for a segment in t's
/// plane.
std::optional<double> crossing(const Triangle& t, const Vec3& p, const Vec3& q);

bool touches_box(const Triangle& t, const Box& box);

/// Whether two triangles come nearer than `slack`, up to a constant near 1 at their corners.
bool within(const Triangle& s, const Triangle& t, double slack);

/// Whether two triangles without a common corner cross: an edge of one goes through the other, or
/// they overlap in one plane.
bool triangles_cross(const Triangle& s, const Triangle& t);

/// A tet prepared for many tests.
class TetProbe {
 public:
  explicit TetProbe(const std::array<Vec3, 4>& corners);
  [[nodiscard]] bool touches(const Triangle& t, double slack) const;
  /// The part of the segment p q inside the tet, as fractions; nothing when it misses.
  [[nodiscard]] std::optional<std::array<double, 2>> clip(const Vec3& p, const Vec3& q,
                                                          double slack) const;
  [[nodiscard]] const Box& box() const { return box_; }
  [[nodiscard]] const std::array<Vec3, 4>& corners() const { return corners_; }

 private:
  std::array<Vec3, 4> corners_;
  std::array<Vec3, 4> normals_;      ///< unit, outward, of the face opposite each corner
  std::array<double, 4> offsets_{};  ///< normal · x is at most this inside
  std::array<Vec3, 6> edges_;
  Box box_;
};

/// The triangle clipped to the tet, as the mean of the clipped polygon's corners; nothing when they
/// do not meet.
std::optional<Vec3> point_inside_tet(const Triangle& t, const TetProbe& tet);

}  // namespace limber
