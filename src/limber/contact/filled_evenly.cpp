#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "limber/contact/collider.h"
#include "limber/core/error.h"

namespace limber {

namespace {

/// ∫ x xᵀ over the solid, per unit of density, to inertia about the centre.
Mat3 inertia_of(const Mat3& moments) { return moments.trace() * Mat3::Identity() - moments; }

/// A cylinder with half a ball at each end, along y.
RigidMass capsule_mass(double r, double length, double mass) {
  const double cylinder = std::numbers::pi * r * r * length,
               ball = 4 * std::numbers::pi * r * r * r / 3;
  const double m = mass / (cylinder + ball);
  const double across = m * (cylinder * r * r / 4 + ball * r * r / 5);  // ∫x²
  const double offset = length / 2 + 3 * r / 8;                         // of a half ball's centre
  const double half_ball = r * r / 5 - 9 * r * r / 64;
  const double along = m * (cylinder * length * length / 12 + ball * (half_ball + offset * offset));
  return {mass, Vec3::Zero(), inertia_of(Vec3(across, along, across).asDiagonal())};
}

/// Sums over the tets between the origin and each triangle.
RigidMass surface_mass(const RestSurface& surface, double mass) {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  const Vec3 origin = (surface.low() + surface.high()) / 2;
  for (int t = 0; t < surface.triangle_count(); ++t) {
    Mat3 corners;
    for (int k = 0; k < 3; ++k) corners.col(k) = surface.vertex(surface.triangle(t)[k]) - origin;
    const double part = corners.determinant() / 6;
    const Vec3 sum = corners.rowwise().sum();
    volume += part;
    first += part * sum / 4;
    second += part / 20 * (corners * corners.transpose() + sum * sum.transpose());
  }
  if (!(volume > 0))
    throw Error("the surface encloses no volume", "rigid body", "use a closed surface");
  const Vec3 centre = first / volume;
  const Mat3 moments = mass / volume * second - mass * centre * centre.transpose();
  return {mass, origin + centre, inertia_of(moments)};
}

}  // namespace

RigidMass filled_evenly(const Collider& shape, double mass) {
  if (!(mass > 0 && std::isfinite(mass)))
    throw Error("the mass must be positive and finite", "rigid body", "give kilograms");
  switch (shape.kind()) {
    case Collider::Kind::sphere:
      return {mass, Vec3::Zero(), 0.4 * mass * shape.radius() * shape.radius() * Mat3::Identity()};
    case Collider::Kind::box: {
      const Vec3 squares = shape.half().cwiseAbs2();
      return {mass, Vec3::Zero(), inertia_of(Vec3(mass / 3 * squares).asDiagonal())};
    }
    case Collider::Kind::capsule:
      return capsule_mass(shape.radius(), 2 * (shape.half().y() - shape.radius()), mass);
    case Collider::Kind::mesh:
    case Collider::Kind::soft:
      if (shape.surface()->closed()) return surface_mass(*shape.surface(), mass);
      throw Error("an open surface has no volume to fill", "rigid body",
                  "close the surface, or leave the mass out");
    case Collider::Kind::plane:
      break;
  }
  throw Error("a plane has no volume to fill", "rigid body", "use a box");
}

}  // namespace limber
