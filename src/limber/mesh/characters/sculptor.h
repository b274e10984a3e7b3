// The tools that characters are made with: parts that know how far they reach, faces, colours.
#pragma once

#include <cstdint>

#include "limber/mesh/characters/implicit.h"

namespace limber {

/// 0xRRGGBB as people pick it, in linear light.
[[nodiscard]] Eigen::Vector3f linear_colour(std::uint32_t rgb);

[[nodiscard]] Part blob(const Vec3& centre, const Vec3& radii, int paint, double blend,
                        const Mat3& turn = Mat3::Identity());
[[nodiscard]] Part block(const Vec3& centre, const Vec3& half, double rounding, int paint,
                         double blend);
[[nodiscard]] Part curve(const std::vector<Joint>& joints, int paint, double blend);
/// The part taken away instead.
[[nodiscard]] Part carve(Part part);
[[nodiscard]] Distance ball(const Vec3& centre, double radius);

/// Rotation by `degrees` about an axis.
[[nodiscard]] Mat3 turned(double degrees, const Vec3& axis);

struct FaceLook {
  double eye_spacing;  ///< of each eye from the middle
  double eye_height;   ///< y
  double eye_depth;    ///< z of the eyes' centres
  double eye_radius;
  double pupil = 0.6;  ///< of the eye's radius
  Vec3 looking = Vec3(0, 0, 1);
};
/// White eyes with pupils and a light in each; adds paints "eyes", "pupils".
void add_eyes(Implicit& solid, const FaceLook& look);
/// A smile carved along a curve from side to side, deepest in the middle.
void add_smile(Implicit& solid, const Vec3& corner, const Vec3& middle, double radius,
               std::uint32_t colour);

}  // namespace limber
