#include "limber/scene/build_contact.h"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/error.h"
#include "limber/dynamics/rigid_body.h"
#include "limber/mesh/read_mesh.h"
#include "limber/scene/json_reader.h"

namespace limber {

namespace {

CollisionFilter filter_of(const TouchDescription& touch) {
  return touch.collides ? CollisionFilter{} : CollisionFilter{0, 0};
}

Collider::Shared shape_of(const ObstacleDescription& obstacle) {
  const std::vector<double>& size = obstacle.size;
  if (obstacle.shape == "plane") return Collider::plane();
  if (obstacle.shape == "sphere") return Collider::sphere(size[0]);
  if (obstacle.shape == "box") return Collider::box({size[0], size[1], size[2]});
  if (obstacle.shape == "capsule") return Collider::capsule(size[0], size[1]);
  const TriMesh surface = read_surface(obstacle.surface);
  return Collider::mesh(surface.V, surface.F);
}

/// The plane's frame has its y axis along the normal.
SupportMotion ground_motion(const GroundDescription& ground) {
  const double length = ground.normal.norm();
  const Vec3 up = ground.normal / length;
  return SupportMotion({{0, ground.offset / length * up,
                         Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), up)}});
}

bool meets_others(const BodyDescription& body) { return body.touch.collides; }

}  // namespace

bool has_contact(const SceneDescription& scene) {
  const bool modal = std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const auto& body) {
    return traits(body.method).modal;
  });
  // A ground alone is a part of the equations of bodies at full resolution.
  return (scene.ground && modal) || !scene.obstacles.empty() || !scene.joints.empty() ||
         std::count_if(scene.bodies.begin(), scene.bodies.end(), meets_others) > 1;
}

ContactPart contact_part(const BodyDescription& description, const BodySource& source) {
  ContactPart part;
  part.material = description.touch.material;
  part.filter = filter_of(description.touch);
  part.collider = traits(description.method).modal
                      ? Collider::soft(source.modes)
                      : Collider::soft(source.mesh.V, source.mesh.T, source.surface.V,
                                       source.surface.F, source.binding);
  return part;
}

std::optional<GroundPlane> ground_plane(const BodyDescription& description,
                                        const SceneDescription& scene) {
  if (!scene.ground || !description.touch.collides) return std::nullopt;
  const std::vector<std::string>& passes = description.touch.passes;
  if (std::find(passes.begin(), passes.end(), kGroundName) != passes.end()) return std::nullopt;
  const ContactMaterial &own = description.touch.material, &other = scene.ground->touch.material;
  if (own.restitution > 0 || other.restitution > 0)
    throw Error(fmt::format("method \"{}\" knows no restitution on the ground",
                            traits(description.method).name),
                description.name, "leave it out, or use a modal method");
  GroundPlane plane;
  plane.normal = scene.ground->normal;
  plane.offset = scene.ground->offset;
  plane.friction = pair_friction(own, other);
  return plane;
}

void add_ground(const GroundDescription& ground, World& world) {
  world.add_obstacle(kGroundName, {Collider::plane(), ground.touch.material, {}},
                     ground_motion(ground));
}

void add_obstacle(const ObstacleDescription& obstacle, const std::vector<GravityLoad>& gravity,
                  World& world) try {
  const ContactPart part{shape_of(obstacle), obstacle.touch.material, filter_of(obstacle.touch)};
  if (!obstacle.mass) {
    world.add_obstacle(obstacle.name, part,
                       SupportMotion(obstacle.path, obstacle.interpolation, "path"));
    return;
  }
  FrameState start;
  start.position = obstacle.path[0].position;
  start.rotation = obstacle.path[0].rotation.toRotationMatrix();
  auto body = std::make_unique<RigidBody>(filled_evenly(*part.collider, *obstacle.mass), start,
                                          Loads{gravity, {}});
  body->set_velocity(obstacle.velocity, obstacle.angular_velocity);
  world.add(obstacle.name, std::move(body), part);
} catch (const Error& error) {
  throw error.in(obstacle.name);
}

void SceneNames::exclude(const std::string& one, const std::string& other, World& world) const {
  const auto [a, last_a] = numbers_.equal_range(one);
  const auto [b, last_b] = numbers_.equal_range(other);
  for (auto x = a; x != last_a; ++x) {
    for (auto y = b; y != last_b; ++y) {
      if (x->second != y->second) world.contacts().exclude(x->second, y->second);
    }
  }
}

int SceneNames::first(const std::string& name, const std::string& where) const {
  if (name.empty()) return kTheWorld;
  const auto found = numbers_.lower_bound(name);
  if (found != numbers_.end() && found->first == name) return found->second;
  std::vector<std::string> known;
  for (const auto& [one, number] : numbers_) known.push_back(one);
  throw Error(fmt::format("nothing is called \"{}\"", name), where,
              did_you_mean(name, known, "name a body or an obstacle"));
}

int SceneNames::add_joint(const JointDescription& joint, World& world) const try {
  JointSpec spec = joint.spec;
  spec.a = first(joint.bodies[0], joint.where);
  spec.b = first(joint.bodies[1], joint.where);
  return world.add_joint(spec);
} catch (const Error& error) {
  throw error.in(joint.where);
}

}  // namespace limber
