#include "limber/scene/scene_props.h"

#include <cmath>
#include <numbers>

namespace limber {

namespace {

/// Rings of points around y from the south pole to the north pole; the upper half is raised by
/// `lift`, the lower one lowered: a sphere for zero, else a capsule.
TriMesh round_surface(double radius, double lift) {
  constexpr int kAround = 32, kRings = 16;
  TriMesh mesh;
  mesh.V.resize(kAround * kRings, 3);
  mesh.F.resize(2 * kAround * (kRings - 1) + 2 * (kAround - 2), 3);
  int triangle = 0;
  for (int ring = 0; ring < kRings; ++ring) {
    // Away from the poles themselves, which are closed by a fan each.
    const double polar = std::numbers::pi * (ring + 0.5) / kRings;
    const double up = ring < kRings / 2 ? -lift : lift;
    for (int k = 0; k < kAround; ++k) {
      const double angle = 2 * std::numbers::pi * k / kAround;
      const int v = ring * kAround + k;
      mesh.V.row(v) << radius * std::sin(polar) * std::cos(angle), up - radius * std::cos(polar),
          radius * std::sin(polar) * std::sin(angle);
      if (ring + 1 == kRings) continue;
      const int next = ring * kAround + (k + 1) % kAround;
      mesh.F.row(triangle++) << v, v + kAround, next;
      mesh.F.row(triangle++) << next, v + kAround, next + kAround;
    }
  }
  const int top = (kRings - 1) * kAround;
  for (int k = 1; k + 1 < kAround; ++k) {
    mesh.F.row(triangle++) << 0, k, k + 1;
    mesh.F.row(triangle++) << top, top + k + 1, top + k;
  }
  return mesh;
}

TriMesh box_surface(const Vec3& half) {
  TriMesh mesh;
  mesh.V.resize(24, 3);
  mesh.F.resize(12, 3);
  int v = 0, t = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 out = sign * Vec3::Unit(axis);
      const Vec3 a = Vec3::Unit((axis + 1) % 3), b = sign * Vec3::Unit((axis + 2) % 3);
      const Vec3 corners[] = {out - a - b, out + a - b, out + a + b, out - a + b};
      for (const Vec3& corner : corners) mesh.V.row(v++) = corner.cwiseProduct(half).transpose();
      mesh.F.row(t++) << v - 4, v - 3, v - 2;
      mesh.F.row(t++) << v - 4, v - 2, v - 1;
    }
  }
  return mesh;
}

TriMesh surface_of(const Collider& collider) {
  switch (collider.kind()) {
    case Collider::Kind::sphere:
      return round_surface(collider.radius(), 0);
    case Collider::Kind::capsule:
      return round_surface(collider.radius(), collider.half().y() - collider.radius());
    case Collider::Kind::box:
      return box_surface(collider.half());
    case Collider::Kind::plane:
    case Collider::Kind::soft:
    case Collider::Kind::mesh:
      break;
  }
  TriMesh mesh;
  const RestSurface* surface = collider.surface();
  if (surface == nullptr) return mesh;
  mesh.V.resize(surface->vertex_count(), 3);
  for (int v = 0; v < surface->vertex_count(); ++v) mesh.V.row(v) = surface->vertex(v).transpose();
  mesh.F.resize(surface->triangle_count(), 3);
  for (int t = 0; t < surface->triangle_count(); ++t) {
    const auto& corners = surface->triangle(t);
    mesh.F.row(t) << corners[0], corners[1], corners[2];
  }
  return mesh;
}

}  // namespace

std::vector<SceneProp> props_of(const World& world) {
  std::vector<SceneProp> props;
  const auto add = [&](const std::string& name, int participant) {
    const Collider& shape = world.contacts().participant(participant).posed.shape();
    if (shape.kind() != Collider::Kind::plane)
      props.push_back({name, surface_of(shape), participant});
  };
  for (const WorldObstacle& obstacle : world.obstacles()) add(obstacle.name, obstacle.participant);
  for (const WorldBody& body : world.bodies()) {
    if (body.dynamics->method() == Method::rigid) add(body.name, body.participant);
  }
  return props;
}

Positions positions_of(const SceneProp& prop, const World& world) {
  const Participant& person = world.contacts().participant(prop.participant);
  const FrameState frame =
      person.body != nullptr ? person.body->frame() : person.motion.at(world.time());
  return (prop.surface.V * frame.rotation.transpose()).rowwise() + frame.position.transpose();
}

}  // namespace limber
