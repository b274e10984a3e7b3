#include "limber/scene/build_contact.h"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
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
  const TriMesh surface =
      obstacle.given_surface ? *obstacle.given_surface : read_surface(obstacle.surface);
  return Collider::mesh(surface.V, surface.F);
}

/// The plane's frame has its y axis along the normal.
SupportMotion ground_motion(const GroundDescription& ground) {
  const double length = ground.normal.norm();
  const Vec3 up = ground.normal / length;
  return SupportMotion({{0, ground.offset / length * up, turn_between(Vec3::UnitY(), up)}});
}

bool meets_others(const BodyDescription& body) { return body.touch.collides; }

}  // namespace

bool has_contact(const SceneDescription& scene) {
  const bool modal = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                 [](const auto& body) { return traits(body.method).modal; });
  // A ground alone is a part of the equations of bodies at full resolution.
  return (scene.ground && modal) || !scene.obstacles.empty() || !scene.joints.empty() ||
         std::count_if(scene.bodies.begin(), scene.bodies.end(), meets_others) > 1;
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

void ContactBuilder::add_surroundings(const SceneDescription& scene) {
  world_->contacts().set_options(scene.contact);
  if (!touching_) return;
  if (scene.ground) add_ground(*scene.ground);
  for (const ObstacleDescription& obstacle : scene.obstacles) add_obstacle(obstacle, scene.gravity);
}

void ContactBuilder::add_ground(const GroundDescription& ground) {
  numbers_.emplace(kGroundName,
                   world_->add_obstacle(kGroundName, {Collider::plane(), ground.touch.material, {}},
                                        ground_motion(ground)));
}

void ContactBuilder::add_obstacle(const ObstacleDescription& obstacle,
                                  const std::vector<GravityLoad>& gravity) try {
  const ContactPart part{shape_of(obstacle), obstacle.touch.material, filter_of(obstacle.touch)};
  if (!obstacle.mass) {
    const SupportMotion motion(obstacle.path, obstacle.interpolation, "path");
    numbers_.emplace(obstacle.name, world_->add_obstacle(obstacle.name, part, motion));
  } else {
    FrameState start;
    start.position = obstacle.path[0].position;
    start.rotation = obstacle.path[0].rotation.toRotationMatrix();
    auto body = std::make_unique<RigidBody>(filled_evenly(*part.collider, *obstacle.mass), start,
                                            Loads{gravity, {}});
    body->set_velocity(obstacle.velocity, obstacle.angular_velocity);
    const BodyId id = world_->add(obstacle.name, std::move(body), part);
    numbers_.emplace(obstacle.name, world_->participant(id));
  }
  exclude_all(obstacle.name, obstacle.touch);
} catch (const Error& error) {
  throw error.in(obstacle.name);
}

ContactPart ContactBuilder::part_of(const BodyDescription& description,
                                    const BodySource& source) const {
  const bool self = description.touch.self.value_or(world_->contacts().options().self);
  if (!touching_ && !source.is_loose_piece && !self) return {};
  ContactPart part;
  part.self = description.touch.self;
  part.material = description.touch.material;
  part.filter = filter_of(description.touch);
  part.collider = traits(description.method).modal
                      ? Collider::soft(source.modes)
                      : Collider::soft(source.mesh.V, source.mesh.T, source.surface.V,
                                       source.surface.F, source.binding);
  return part;
}

void ContactBuilder::add_body(const BodyDescription& description, BodyId id) {
  const WorldBody& body = world_->body(id);
  if (body.participant == kNobody) return;
  numbers_.emplace(description.name, body.participant);
  if (body.name != description.name) numbers_.emplace(body.name, body.participant);
  // At full resolution the ground is a part of the body's own equations.
  if (!traits(description.method).modal) exclude(body.name, kGroundName);
  exclude_all(description.name, description.touch);
}

int ContactBuilder::add_joint(const JointDescription& joint) try {
  JointSpec spec = joint.spec;
  spec.a = first(joint.bodies[0], joint.where);
  spec.b = first(joint.bodies[1], joint.where);
  return world_->add_joint(spec);
} catch (const Error& error) {
  throw error.in(joint.where);
}

void ContactBuilder::add_relations(const SceneDescription& scene) {
  // Once more: lists may name those that came later.
  for (const BodyDescription& body : scene.bodies) exclude_all(body.name, body.touch);
  for (const ObstacleDescription& obstacle : scene.obstacles)
    exclude_all(obstacle.name, obstacle.touch);
  for (const JointDescription& joint : scene.joints) add_joint(joint);
}

void ContactBuilder::exclude_all(const std::string& name, const TouchDescription& touch) {
  for (const std::string& other : touch.passes) exclude(name, other);
}

void ContactBuilder::exclude(const std::string& one, const std::string& other) {
  const auto a = numbers_.equal_range(one), b = numbers_.equal_range(other);
  for (auto x = a.first; x != a.second; ++x) {
    for (auto y = b.first; y != b.second; ++y) {
      if (x->second != y->second) world_->contacts().exclude(x->second, y->second);
    }
  }
}

/// An empty name is the world.
int ContactBuilder::first(const std::string& name, const std::string& where) const {
  if (name.empty()) return kTheWorld;
  const auto found = numbers_.lower_bound(name);
  if (found != numbers_.end() && found->first == name) return found->second;
  std::vector<std::string> known;
  for (const auto& [one, number] : numbers_) known.push_back(one);
  throw Error(fmt::format("nothing is called \"{}\"", name), where,
              did_you_mean(name, known, "name a body or an obstacle"));
}

}  // namespace limber
