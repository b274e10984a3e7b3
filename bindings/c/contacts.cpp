// Joints, and what touched in the last step; rays and balls.
#include <array>
#include <cmath>

#include "arguments.h"
#include "limber/contact/contact_queries.h"
#include "memory.h"
#include "results.h"
#include "world.h"

namespace limber::c {

void forget_joints(limber_world& world, std::uint64_t removed) {
  std::erase_if(world.joints,
                [&](const JointEntry& joint) { return joint.a == removed || joint.b == removed; });
}

}  // namespace limber::c

namespace {

using namespace limber;
using namespace limber::c;

void copy_vector(const Vec3& from, double* to) { std::copy_n(from.data(), 3, to); }

/// The number of whoever takes part in contact; zero for those that were removed.
std::uint64_t number_of_participant(const limber_world& world, int participant) {
  for (const WorldBody& body : world.world.bodies()) {
    if (body.participant == participant) return number_of(body.id);
  }
  for (const Obstacle& obstacle : world.obstacles) {
    if (obstacle.participant == participant) return obstacle.number;
  }
  return 0;
}

int participant_of(limber_world* world, std::uint64_t number) {
  if (number == 0) return kTheWorld;
  for (const Obstacle& obstacle : world->obstacles) {
    if (obstacle.number == number) return obstacle.participant;
  }
  return world->world.participant(body_of(world, number).id);
}

const JointEntry& joint_of(const limber_world* world, limber_joint number) {
  require(world, "world");
  for (const JointEntry& joint : world->joints) {
    if (joint.number == number) return joint;
  }
  throw Error("there is no such joint", "world", "it or what it joined may have been removed");
}

JointSpec spec_of(limber_world* world, const limber_joint_options& given) {
  constexpr std::array kKinds{JointKind::ball, JointKind::hinge, JointKind::weld, JointKind::slider,
                              JointKind::distance};
  if (given.kind < 0 || given.kind >= static_cast<int>(kKinds.size())) {
    throw Error("there is no joint " + std::to_string(given.kind), "joint options",
                "take LIMBER_BALL to LIMBER_DISTANCE");
  }
  JointSpec spec;
  spec.kind = kKinds[static_cast<std::size_t>(given.kind)];
  spec.a = participant_of(world, given.a);
  spec.b = participant_of(world, given.b);
  spec.at = vector(given.at, "at");
  const Vec3 axis = vector(given.axis, "axis");
  if (!axis.isZero(0)) spec.axis = axis.normalized();
  if (spec.kind == JointKind::distance) spec.at_b = vector(given.at_b, "at_b");
  if (given.has_limits != 0) {
    spec.lowest = given.lowest;
    spec.highest = given.highest;
  }
  spec.motor_speed = given.motor_speed;
  spec.motor_torque = given.motor_torque;
  if (given.break_force != 0) spec.break_force = given.break_force;
  spec.radius = given.radius;
  spec.collide = given.collide != 0;
  return spec;
}

/// The first `capacity` of `count` items into the caller's array.
template <class Item, class Fill>
void write_list(std::size_t there, Item* items, std::size_t capacity, std::size_t* count,
                const Fill& fill) {
  require(count, "count");
  if (capacity > 0) require(items, "the array");
  *count = there;
  for (std::size_t k = 0; k < std::min(there, capacity); ++k) items[k] = fill(k);
  if (there > capacity) throw TooSmall();
}

}  // namespace

extern "C" {

limber_result limber_world_add_joint(limber_world* world, const limber_joint_options* options,
                                     limber_joint* joint) {
  return guarded([&] {
    require(world, "world");
    require(joint, "joint");
    const limber_joint_options given = versioned(options, "joint options");
    const JointSpec spec = spec_of(world, given);
    const NeverRefused all_or_none;
    JointEntry added;
    added.joint = world->world.add_joint(spec);
    added.number = world->next_number++;
    added.a = given.a;
    added.b = given.b;
    world->joints.push_back(added);
    *joint = added.number;
  });
}

limber_result limber_world_remove_joint(limber_world* world, limber_joint joint) {
  return guarded([&] {
    const JointEntry found = joint_of(world, joint);
    const NeverRefused all_or_none;
    world->world.remove_joint(found.joint);
    std::erase_if(world->joints, [&](const JointEntry& one) { return one.number == joint; });
  });
}

limber_result limber_joint_set_motor(limber_world* world, limber_joint joint, double speed,
                                     double torque) {
  return guarded([&] {
    const JointEntry& found = joint_of(world, joint);
    if (!std::isfinite(speed) || !(torque >= 0) || !std::isfinite(torque)) {
      throw Error("a motor needs a finite speed and torque", "joint", "give rad/s and N m");
    }
    world->world.contacts().set_motor(found.joint, speed, torque);
  });
}

limber_result limber_joint_get_state(const limber_world* world, limber_joint number,
                                     limber_joint_state* state) {
  return guarded([&] {
    const JointEntry& found = joint_of(world, number);
    const Joint& joint = world->world.contacts().joint(found.joint);
    limber_joint_state filled{};
    filled.broken = joint.broken() ? 1 : 0;
    filled.error = joint.error();
    filled.force = joint.force();
    filled.angle = joint.angle();
    give(filled, state, "state");
  });
}

limber_result limber_world_contacts(const limber_world* world, limber_contact* contacts,
                                    size_t capacity, size_t* count) {
  return guarded([&] {
    require(world, "world");
    const std::span<const ContactRecord> records = world->world.contacts().contacts();
    write_list(records.size(), contacts, capacity, count, [&](std::size_t k) {
      limber_contact contact{};
      contact.a = number_of_participant(*world, records[k].a);
      contact.b = number_of_participant(*world, records[k].b);
      copy_vector(records[k].point, contact.point);
      copy_vector(records[k].normal, contact.normal);
      copy_vector(records[k].impulse, contact.impulse);
      contact.depth = records[k].depth;
      return contact;
    });
  });
}

limber_result limber_world_events(const limber_world* world, limber_event* events, size_t capacity,
                                  size_t* count) {
  return guarded([&] {
    require(world, "world");
    const std::span<const ContactEvent> records = world->world.contacts().events();
    write_list(records.size(), events, capacity, count, [&](std::size_t k) {
      limber_event event{};
      event.kind =
          records[k].kind == ContactEvent::Kind::begin ? LIMBER_TOUCH_BEGINS : LIMBER_TOUCH_ENDS;
      event.a = number_of_participant(*world, records[k].a);
      event.b = number_of_participant(*world, records[k].b);
      return event;
    });
  });
}

limber_result limber_world_cast(limber_world* world, const double from[3],
                                const double direction[3], double longest, double radius,
                                uint32_t groups, limber_hit* hit) {
  return guarded([&] {
    require(world, "world");
    const Vec3 start = vector(from, "from");
    const Vec3 way = vector(direction, "direction");
    if (way.isZero(0) || !(longest > 0) || !std::isfinite(longest) || !(radius >= 0) ||
        !std::isfinite(radius)) {
      throw Error(
          "a cast without a direction, a length or a radius", "cast",
          "give a direction that is not zero, a longest way above 0 and a radius of at least 0");
    }
    Contacts& contacts = world->world.contacts();
    contacts.refresh(world->world.time());
    const std::uint32_t wanted = groups == 0 ? ~0U : groups;
    const CastHit found = radius > 0 ? cast_sphere(contacts, start, way, longest, radius, wanted)
                                     : cast_ray(contacts, start, way, longest, wanted);
    limber_hit filled{};
    filled.hit = found.hit ? 1 : 0;
    if (found.hit) {
      filled.who = number_of_participant(*world, found.who);
      filled.distance = found.distance;
      copy_vector(found.point, filled.point);
      copy_vector(found.normal, filled.normal);
    }
    give(filled, hit, "hit");
  });
}

}  // extern "C"
