#include "limber/mesh/characters/sculptor.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

Eigen::Vector3f linear_colour(std::uint32_t rgb) {
  Eigen::Vector3f colour;
  for (int c = 0; c < 3; ++c) {
    const float s = static_cast<float>(rgb >> (16 - 8 * c) & 255) / 255;
    colour[c] = s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);  // sRGB
  }
  return colour;
}

Part blob(const Vec3& centre, const Vec3& radii, int paint, double blend, const Mat3& turn) {
  return {ellipsoid(centre, radii, turn), {centre, radii.maxCoeff()}, blend, paint};
}

Part block(const Vec3& centre, const Vec3& half, double rounding, int paint, double blend) {
  return {rounded_box(centre, half, rounding), {centre, half.norm()}, blend, paint};
}

Part curve(const std::vector<Joint>& joints, int paint, double blend) {
  Vec3 middle = Vec3::Zero();
  for (const Joint& joint : joints) middle += joint.at / static_cast<double>(joints.size());
  double reach = 0;
  for (const Joint& joint : joints) {
    reach = std::max(reach, (joint.at - middle).norm() + joint.radius);
  }
  constexpr double kOvershoot = 1.15;  // of a spline over its points, when they are well spaced
  return {limb(joints), {middle, kOvershoot * reach}, blend, paint};
}

Part carve(Part part) {
  part.carved = true;
  return part;
}

Distance ball(const Vec3& centre, double radius) {
  return [=](const Vec3& p) { return (p - centre).norm() - radius; };
}

Mat3 turned(double degrees, const Vec3& axis) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()).toRotationMatrix();
}

void add_eyes(Implicit& solid, const FaceLook& look) {
  const int white = solid.add_paint("eyes", linear_colour(0xfdfdf8));
  const int black = solid.add_paint("pupils", linear_colour(0x15151c));
  const Vec3 centre(look.eye_spacing, look.eye_height, look.eye_depth);
  const double r = look.eye_radius;
  solid.add_both(blob(centre, Vec3::Constant(r), white, 0.15 * r));
  const Vec3 front = centre + r * look.looking.normalized();
  solid.patch_both({ball(front, look.pupil * r), black});
  solid.patch_both({ball(front + r * Vec3(0.2, 0.26, -0.05), 0.17 * r), white});
}

void add_smile(Implicit& solid, const Vec3& corner, const Vec3& middle, double radius,
               std::uint32_t colour) {
  const int paint = solid.add_paint("mouth", linear_colour(colour));
  std::vector<Joint> joints;
  for (const double t : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    const Vec3 at = middle + t * t * (corner - middle);
    joints.push_back({{t * corner.x(), at.y(), at.z()}, radius * (1 - 0.45 * t * t)});
  }
  const Part groove = curve(joints, paint, 0.8 * radius);
  solid.patch(
      {[distance = groove.distance, radius](const Vec3& p) { return distance(p) - 0.15 * radius; },
       paint});
  solid.add(carve(groove));
}

}  // namespace limber
