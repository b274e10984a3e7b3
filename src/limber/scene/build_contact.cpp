#include "limber/scene/build_contact.h"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/error.h"
#include "limber/dynamics/rigid_body.h"
#include "limber/mesh/read_mesh.h"

namespace limber {

namespace {

constexpr const char* kGround = "ground";

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

void add_obstacle(const ObstacleDescription& obstacle, const SceneDescription& scene,
                  World& world) {
  const ContactPart part{shape_of(obstacle), obstacle.touch.material, filter_of(obstacle.touch)};
  if (!obstacle.mass) {
    world.add_obstacle(obstacle.name, part,
                       SupportMotion(obstacle.path, obstacle.interpolation, "path"));
    return;
  }
  const RigidMass mass = filled_evenly(*part.collider, *obstacle.mass);
  FrameState start;
  start.position = obstacle.path[0].position;
  start.rotation = obstacle.path[0].rotation.toRotationMatrix();
  auto body = std::make_unique<RigidBody>(mass, start, Loads{scene.gravity, {}});
  body->set_velocity(obstacle.velocity, obstacle.angular_velocity);
  world.add(obstacle.name, std::move(body), part);
}

/// Who goes by which name of the scene.
class Names {
 public:
  Names(const std::multimap<std::string, BodyId>& bodies, World& world) : world_(world) {
    for (const auto& [name, id] : bodies) {
      const int participant = world.body(id).participant;
      if (participant != kNobody) numbers_.emplace(name, participant);
    }
    for (const WorldObstacle& obstacle : world.obstacles())
      numbers_.emplace(obstacle.name, obstacle.participant);
  }

  /// An empty name is the world.
  [[nodiscard]] int first(const std::string& name) const {
    return name.empty() ? kTheWorld : numbers_.find(name)->second;
  }
  void exclude(const std::string& one, const std::string& other) const {
    const auto [a, last_a] = numbers_.equal_range(one);
    const auto [b, last_b] = numbers_.equal_range(other);
    for (auto x = a; x != last_a; ++x) {
      for (auto y = b; y != last_b; ++y) {
        if (x->second != y->second) world_.contacts().exclude(x->second, y->second);
      }
    }
  }

 private:
  World& world_;  // lives while the relations are added
  std::multimap<std::string, int> numbers_;
};

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

ContactPart contact_part(const BodyDescription& description, const BodySource& source,
                         const SceneDescription& scene) {
  if (!has_contact(scene)) return {};
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
  if (std::find(passes.begin(), passes.end(), kGround) != passes.end()) return std::nullopt;
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

void add_surroundings(const SceneDescription& scene, World& world) {
  if (!has_contact(scene)) return;
  world.contacts().set_options(scene.contact);
  if (scene.ground)
    world.add_obstacle(kGround, {Collider::plane(), scene.ground->touch.material, {}},
                       ground_motion(*scene.ground));
  for (const ObstacleDescription& obstacle : scene.obstacles) {
    try {
      add_obstacle(obstacle, scene, world);
    } catch (const Error& error) {
      throw error.in(obstacle.name);
    }
  }
}

void add_relations(const SceneDescription& scene,
                   const std::multimap<std::string, BodyId>& bodies, World& world) {
  const Names names(bodies, world);
  for (const BodyDescription& body : scene.bodies) {
    for (const std::string& other : body.touch.passes) names.exclude(body.name, other);
    if (!traits(body.method).modal) names.exclude(kGround, body.name);
  }
  for (const ObstacleDescription& obstacle : scene.obstacles) {
    for (const std::string& other : obstacle.touch.passes) names.exclude(obstacle.name, other);
  }
  for (const JointDescription& joint : scene.joints) {
    JointSpec spec = joint.spec;
    spec.a = names.first(joint.bodies[0]);
    spec.b = names.first(joint.bodies[1]);
    try {
      world.add_joint(spec);
    } catch (const Error& error) {
      throw error.in(joint.where);
    }
  }
}

}  // namespace limber
