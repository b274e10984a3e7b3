// The characters without limbs to walk on: belly, jelly-box, tube, brain, hat, bowl.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/mesh/characters/cast.h"
#include "limber/mesh/characters/sculptor.h"

namespace limber {

Implicit belly_solid() {
  Implicit s;
  const int skin = s.add_paint("skin", linear_colour(0xf0b48a));
  const int trousers = s.add_paint("trousers", linear_colour(0x3558a8));
  s.add(blob({0, 0.40, 0.08}, {0.33, 0.29, 0.31}, skin, 0));
  s.add(blob({0, 0.72, -0.03}, {0.31, 0.2, 0.2}, skin, 0.16));
  s.add_both(blob({0.13, 0.72, 0.1}, {0.13, 0.1, 0.09}, skin, 0.06));
  s.add_both(
      curve({{{0.27, 0.82, -0.04}, 0.105}, {{0.39, 0.70, -0.03}, 0.1}, {{0.44, 0.57, 0}, 0.095}},
            skin, 0.06));
  s.add(curve({{{0, 0.85, -0.03}, 0.13}, {{0, 0.97, -0.02}, 0.1}}, skin, 0.08));
  s.add_both(curve({{{0.15, 0.22, 0}, 0.17}, {{0.18, 0.14, 0.01}, 0.15}}, trousers, 0.1));
  s.add(carve(blob({0, 0.37, 0.405}, {0.032, 0.026, 0.05}, skin, 0.05)));
  const int waist = trousers;
  s.patch({[](const Vec3& p) { return p.y() - 0.235 + 0.12 * (p.z() - 0.1); }, waist});
  const int belt = s.add_paint("belt", linear_colour(0x5a3a22));
  s.patch(
      {[](const Vec3& p) { return std::abs(p.y() - 0.24 + 0.12 * (p.z() - 0.1)) - 0.022; }, belt});
  const int buckle = s.add_paint("buckle", linear_colour(0xf2cf52));
  s.patch({rounded_box({0, 0.205, 0.33}, {0.05, 0.035, 0.1}, 0.01), buckle});
  const int pink = s.add_paint("nipples", linear_colour(0xd98672));
  s.patch_both({ball({0.15, 0.715, 0.185}, 0.028), pink});
  s.patch({ball({0, 0.37, 0.365}, 0.03), pink});
  return s;
}

Implicit jelly_box_solid() {
  Implicit s;
  const int jelly = s.add_paint("jelly", linear_colour(0xe83a5d));
  s.add(block({0, 0.5, 0}, {0.44, 0.49, 0.4}, 0.16, jelly, 0));
  s.add(blob({0, 0.08, 0}, {0.5, 0.12, 0.46}, jelly, 0.14));
  add_eyes(s, {0.16, 0.63, 0.36, 0.1, 0.55, {-0.06, -0.02, 1}});
  add_smile(s, {0.17, 0.40, 0.395}, {0, 0.31, 0.405}, 0.036, 0x8a1030);
  const int cheek = s.add_paint("cheeks", linear_colour(0xff7d92));
  s.patch_both({ball({0.29, 0.46, 0.37}, 0.06), cheek});
  const int glaze = s.add_paint("glaze", linear_colour(0xffb3bf));
  s.patch({[](const Vec3& p) {
             const double angle = std::atan2(p.z(), p.x());
             return 0.86 + 0.05 * std::sin(6 * angle) + 0.025 * std::sin(11 * angle + 1) - p.y();
           },
           glaze});
  return s;
}

Implicit tube_solid() {
  constexpr double kRadius = 0.2;  // of the wall's middle
  constexpr double kHalfWall = 0.045;
  constexpr double kHalfHeight = 0.5;
  constexpr double kBend = 0.16;  // of the middle against the ends
  const auto axis_offset = [](double y) {
    const double t = (y - kHalfHeight) / kHalfHeight;
    return kBend * t * t;
  };
  Implicit s;
  const int rubber = s.add_paint("tube", linear_colour(0xf07f2e));
  Part wall;
  wall.distance = [=](const Vec3& p) {
    const double r = std::hypot(p.x() - axis_offset(p.y()), p.z());
    const double out = std::abs(r - kRadius);
    const double up = std::abs(p.y() - kHalfHeight);
    // A rounded lip: half a circle at either end, a little thicker than the wall.
    const double end = std::max(up - (kHalfHeight - 1.4 * kHalfWall), 0.0);
    const double lip = std::hypot(out, up - (kHalfHeight - 1.4 * kHalfWall)) - 1.4 * kHalfWall;
    return smooth_min(std::hypot(out, end) - kHalfWall, lip, 0.03);
  };
  wall.around = {{0.5 * kBend, kHalfHeight, 0}, 0.66};
  wall.paint = rubber;
  s.add(wall);
  s.steepness = 1.4;  // the bend shears space
  const int stripe = s.add_paint("stripes", linear_colour(0xfff1d6));
  s.patch({[=](const Vec3& p) {
             const double r = std::hypot(p.x() - axis_offset(p.y()), p.z());
             const double ring = std::abs(std::remainder(p.y() - 0.5, 0.2)) - 0.035;
             return std::max({ring, kRadius - r, std::abs(p.y() - 0.5) - 0.35});
           },
           stripe});
  const int inner = s.add_paint("inner", linear_colour(0xa84a12));
  s.patch({[=](const Vec3& p) {
             const double r = std::hypot(p.x() - axis_offset(p.y()), p.z());
             return std::max(r - kRadius, std::abs(p.y() - 0.5) - 0.47);
           },
           inner});
  return s;
}

namespace {

/// Worm-like folds: 0 along the grooves of a bent gyroid, 1 on the ridges.
double folds(const Vec3& p) {
  const double x = 17 * std::abs(p.x()) + 1.1 * std::sin(9 * p.y()) + 0.9 * std::sin(7 * p.z());
  const double y = 17 * p.y() + 1.1 * std::sin(8 * p.z() + 1) + 0.9 * std::sin(9 * p.x());
  const double z = 15 * p.z() + 1.1 * std::sin(9 * std::abs(p.x()) + 2);
  const double g =
      std::sin(x) * std::cos(y) + std::sin(y) * std::cos(z) + std::sin(z) * std::cos(x);
  return 1 - std::exp(-3.3 * g * g);
}

}  // namespace

Implicit brain_solid() {
  const Vec3 centre(0, 0.57, 0);
  const Vec3 radii(0.42, 0.36, 0.5);
  // Folds are the same all along a ray from the centre, so they cannot grow into tunnels.
  const auto on_ball = [=](const Vec3& p) -> Vec3 {
    const Vec3 q = p - centre;
    return centre + q / std::max(q.cwiseQuotient(radii).norm(), 0.1);
  };
  Implicit s;
  const int cortex = s.add_paint("cortex", linear_colour(0xec9aa6));
  const int stem = s.add_paint("stem", linear_colour(0xe8b8a0));
  Part halves = blob(centre, radii, cortex, 0);
  halves.distance = [=, ball = halves.distance](const Vec3& p) {
    const Vec3 q = on_ball(p);
    const double between = std::exp(-q.x() * q.x() / (0.035 * 0.035));
    const double upper = std::clamp((q.y() - 0.3) / 0.15, 0.0, 1.0);
    return ball(p) + 0.02 - 0.045 * folds(q) * (1 - between) + 0.06 * between * upper;
  };
  halves.around.radius += 0.03;
  s.add(halves);
  Part little = blob({0, 0.27, -0.28}, {0.25, 0.15, 0.19}, stem, 0.03);
  little.distance = [ball = little.distance](const Vec3& p) {
    return ball(p) + 0.008 * std::sin(70 * p.y());
  };
  little.around.radius += 0.01;
  s.add(little);
  s.add(curve({{{0, 0.3, -0.1}, 0.12}, {{0, 0.1, -0.17}, 0.085}, {{0, 0.06, -0.18}, 0.08}}, stem,
              0.05));
  s.steepness = 3;
  const int groove = s.add_paint("grooves", linear_colour(0xb85468));
  s.patch({[=](const Vec3& p) {
             const Vec3 q = on_ball(p);
             const double fissure = 0.02 - std::abs(q.x());
             return std::max(std::min(0.1 * (folds(q) - 0.45), -fissure), 0.36 - p.y());
           },
           groove});
  return s;
}

Implicit hat_solid() {
  constexpr double kBrim = 0.52;
  Implicit s;
  const int felt = s.add_paint("felt", linear_colour(0x5b3a9e));
  const int lining = s.add_paint("brim", linear_colour(0x4d2f8c));
  // All that lies under the brim counts as inside; the surface ends at the brim's edge.
  Part floor;
  floor.distance = [](const Vec3& p) {
    const double r = std::hypot(p.x(), p.z());
    const double angle = std::atan2(p.z(), p.x());
    const double wave = 0.16 * r * r * (std::sin(2 * angle + 0.6) + 0.35 * std::sin(3 * angle));
    const Vec3 flat(p.x(), p.y() - wave - 0.12 * r * r, p.z());
    const Vec3 q = (flat - Vec3(0, -0.2, 0)).cwiseAbs() - Vec3(0.66, 0.25, 0.66);
    return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
  };
  floor.around = {{0, -0.1, 0}, 1.1};
  floor.paint = lining;
  s.add(floor);
  s.add(curve({{{0, 0.02, 0}, 0.3},
               {{0, 0.3, 0}, 0.225},
               {{0.01, 0.55, 0}, 0.14},
               {{0.06, 0.76, 0.02}, 0.085},
               {{0.17, 0.86, 0.05}, 0.055},
               {{0.27, 0.82, 0.07}, 0.038}},
              felt, 0.1));
  s.steepness = 1.6;
  s.inside_clip = [](const Vec3& p) {
    return std::max(std::hypot(p.x(), p.z()) - kBrim, -0.2 - p.y());
  };
  const int band = s.add_paint("band", linear_colour(0xf2c230));
  s.patch({[](const Vec3& p) {
             return std::max(std::abs(p.y() - 0.2) - 0.045, std::hypot(p.x(), p.z()) - 0.36);
           },
           band});
  const int stars = s.add_paint("stars", linear_colour(0xffe680));
  const auto star = [](const Vec3& centre, double size) {
    return [=](const Vec3& p) {
      const Vec3 out = Vec3(centre.x(), 0, centre.z()).normalized();
      const Vec3 d = p - centre;
      const double u = d.dot(Vec3(-out.z(), 0, out.x()));
      const double angle = std::atan2(d.y(), u) - std::numbers::pi / 2;
      const double wedge = std::abs(std::remainder(angle, 2 * std::numbers::pi / 5));
      const double r = std::hypot(u, d.y());
      // Straight sides from the tips to the notches at half the way in.
      return std::max(r * std::cos(wedge) + 1.9 * r * std::sin(wedge) - size,
                      std::abs(d.dot(out)) - 0.1);
    };
  };
  s.patch({star({0.05, 0.41, 0.2}, 0.055), stars});
  s.patch({star({-0.12, 0.54, 0.1}, 0.04), stars});
  s.patch({star({0.17, 0.5, -0.06}, 0.045), stars});
  s.patch({star({-0.14, 0.4, -0.15}, 0.05), stars});
  return s;
}

Implicit bowl_solid() {
  constexpr double kRadius = 0.8;      // of the sphere that the wall lies on
  constexpr double kHalfWall = 0.085;  // no thinner than 1,000 vertices can show
  constexpr double kRim = 0.95;        // y of the rim's middle
  constexpr double kMiddle = 0.87;     // y of the sphere's centre
  Implicit s;
  const int glaze = s.add_paint("bowl", linear_colour(0x3f78b5));
  const int foot = s.add_paint("foot", linear_colour(0xc9895a));
  Part wall;
  wall.distance = [=](const Vec3& p) {
    const double r = std::hypot(p.x(), p.z());
    const double y = p.y() - kMiddle;
    const double top = kRim - kMiddle;
    // The part of a circle below the rim, in the plane of r and y, then its end.
    const double rim_r = std::sqrt(kRadius * kRadius - top * top);
    const bool below = y * rim_r <= top * r;
    const double to_wall =
        below ? std::abs(std::hypot(r, y) - kRadius) : std::hypot(r - rim_r, y - top);
    return to_wall - kHalfWall;
  };
  wall.around = {{0, kMiddle, 0}, kRadius + 0.1};
  wall.paint = glaze;
  s.add(wall);
  Part ring;
  ring.distance = [](const Vec3& p) {
    const double out = std::abs(std::hypot(p.x(), p.z()) - 0.27) - 0.05;
    const double up = std::abs(p.y() - 0.07) - 0.07;
    return std::hypot(std::max(out, 0.0), std::max(up, 0.0)) + std::min(std::max(out, up), 0.0) -
           0.02;
  };
  ring.around = {{0, 0.07, 0}, 0.4};
  ring.blend = 0.06;
  ring.paint = foot;
  s.add(ring);
  const int inner = s.add_paint("inner", linear_colour(0xf3e7cf));
  s.patch({[=](const Vec3& p) { return (p - Vec3(0, kMiddle, 0)).norm() - kRadius; }, inner});
  const int band = s.add_paint("band", linear_colour(0xe2b23c));
  s.patch({[](const Vec3& p) { return 0.9 - p.y(); }, band});
  return s;
}

}  // namespace limber
