// Obstacles and rigid bodies: shapes that are touched.
#include "arguments.h"
#include "limber/dynamics/rigid_body.h"
#include "memory.h"
#include "results.h"
#include "world.h"

namespace limber::c {

ContactPart contact_part(const limber_touch& touch, Collider::Shared collider) {
  ContactPart part;
  part.collider = std::move(collider);
  if (touch.has_friction != 0) part.material.friction = touch.friction;
  part.material.restitution = touch.restitution;
  if (touch.groups != 0) part.filter.groups = touch.groups;
  if (touch.meets != 0) part.filter.meets = touch.meets;
  return part;
}

}  // namespace limber::c

namespace {

using namespace limber;
using namespace limber::c;

constexpr limber_obstacle kObstacleBit = 1ULL << 63;  // tells their numbers from bodies'

constexpr std::size_t kMostItems = 100'000'000;

Collider::Shared mesh_of(const limber_shape& shape) {
  require(shape.vertices, "vertices");
  require(shape.triangles, "triangles");
  if (shape.vertex_count > kMostItems || shape.triangle_count > kMostItems) {
    throw Error("too many vertices or triangles", "shape", "give at most 100 million");
  }
  Positions vertices(static_cast<Eigen::Index>(shape.vertex_count), 3);
  std::copy_n(shape.vertices, vertices.size(), vertices.data());
  Triangles triangles(static_cast<Eigen::Index>(shape.triangle_count), 3);
  for (Eigen::Index k = 0; k < triangles.size(); ++k) {
    const std::uint32_t vertex = shape.triangles[k];
    if (vertex >= shape.vertex_count) {
      throw Error("a triangle names vertex " + std::to_string(vertex), "shape",
                  "there are " + std::to_string(shape.vertex_count) + ", from 0");
    }
    triangles.data()[k] = static_cast<std::int32_t>(vertex);
  }
  if (!vertices.allFinite()) {
    throw Error("a vertex is not finite", "shape", "give ordinary numbers");
  }
  return Collider::mesh(vertices, triangles);
}

Collider::Shared collider_of(const limber_shape& shape) {
  const Vec3 size = vector(shape.dimensions, "dimensions");
  if (shape.reserved != 0) throw Error("`reserved` is not zero", "shape", "leave it zero");
  switch (shape.kind) {
    case LIMBER_PLANE:
      return Collider::plane();
    case LIMBER_SPHERE:
      return Collider::sphere(size[0]);
    case LIMBER_BOX:
      return Collider::box(size);
    case LIMBER_CAPSULE:
      return Collider::capsule(size[0], size[1]);
    case LIMBER_MESH:
      return mesh_of(shape);
    default:
      throw Error("there is no shape " + std::to_string(shape.kind), "shape",
                  "take LIMBER_PLANE to LIMBER_MESH");
  }
}

SupportMotion motion_of(const limber_obstacle_options& options) {
  if (options.path == nullptr) {
    return SupportMotion(
        {{0, vector(options.position, "position"), rotation(options.rotation, "rotation")}});
  }
  return SupportMotion(support_keys(options.path, options.path_count));
}

}  // namespace

extern "C" {

limber_result limber_world_add_obstacle(limber_world* world, const limber_obstacle_options* options,
                                        limber_obstacle* obstacle) {
  return guarded([&] {
    require(world, "world");
    require(obstacle, "obstacle");
    const limber_obstacle_options given = versioned(options, "obstacle options");
    if (given.touch.none != 0 || given.reserved != 0) {
      throw Error("an obstacle that touches nothing, or `reserved` is not zero", "obstacle options",
                  "leave both zero");
    }
    const ContactPart part = contact_part(given.touch, collider_of(given.shape));
    SupportMotion motion = motion_of(given);
    std::string name = name_for(given.name, "obstacle");
    const NeverRefused all_or_none;
    Obstacle added;
    added.participant = world->world.add_obstacle(std::move(name), part, std::move(motion));
    added.number = kObstacleBit | world->next_number++;
    world->obstacles.push_back(added);
    *obstacle = added.number;
  });
}

limber_result limber_world_remove_obstacle(limber_world* world, limber_obstacle obstacle) {
  return guarded([&] {
    require(world, "world");
    const auto found = std::find_if(world->obstacles.begin(), world->obstacles.end(),
                                    [&](const Obstacle& one) { return one.number == obstacle; });
    if (found == world->obstacles.end()) {
      throw Error("there is no such obstacle", "world", "it may have been removed");
    }
    const NeverRefused all_or_none;
    world->world.remove_obstacle(found->participant);
    world->obstacles.erase(found);
    forget_joints(*world, obstacle);
  });
}

limber_result limber_world_add_rigid(limber_world* world, const limber_rigid_options* options,
                                     limber_body* body) {
  return guarded([&] {
    require(world, "world");
    require(body, "body");
    const limber_rigid_options given = versioned(options, "rigid options");
    if (given.reserved != 0) {
      throw Error("`reserved` is not zero", "rigid options", "begin with {sizeof options}");
    }
    const Collider::Shared shape = collider_of(given.shape);
    const RigidMass mass = filled_evenly(*shape, given.mass);
    FrameState start;
    start.position = vector(given.position, "position");
    start.rotation = rotation(given.rotation, "rotation").toRotationMatrix();
    const Vec3 velocity = vector(given.velocity, "velocity");
    const Vec3 turning = vector(given.angular_velocity, "angular_velocity");
    auto made = std::make_unique<RigidBody>(mass, start, gravity_alone(world->gravity));
    made->set_velocity(velocity, turning);
    const ContactPart part =
        contact_part(given.touch, given.touch.none == 0 ? shape : Collider::Shared());
    std::string name = name_for(given.name, "rigid body");
    const NeverRefused all_or_none;
    Body added;
    added.id = world->world.add(std::move(name), std::move(made), part);
    *body = number_of(added.id);
    world->bodies.push_back(std::move(added));
  });
}

}  // extern "C"
