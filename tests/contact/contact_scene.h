// A small world for tests of contact.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "limber/dynamics/rigid_body.h"
#include "limber/world/world.h"

namespace limber::test {

constexpr double kStep = 1.0 / 60;
constexpr double kGravity = 9.81;

constexpr double kEdge = 0.1;  // m, of cubes

inline Loads falling(const Vec3& gravity = {0, -kGravity, 0}) { return {{{gravity}}, {}}; }

inline FrameState placed(const Vec3& position, const Mat3& rotation = Mat3::Identity()) {
  FrameState frame;
  frame.position = position;
  frame.rotation = rotation;
  return frame;
}

/// A world whose things go by their numbers in contact.
struct ContactScene {
  World world;
  Contacts& contacts = world.contacts();

  int add(std::unique_ptr<DynamicBody> body, Collider::Shared shape,
          const ContactMaterial& material = {}) {
    return world.participant(
        world.add(new_name(), std::move(body), {std::move(shape), material, {}}));
  }
  int add_rigid(const Collider::Shared& shape, double mass, const FrameState& start,
                const ContactMaterial& material = {}, const Loads& loads = falling()) {
    return add(std::make_unique<RigidBody>(filled_evenly(*shape, mass), start, loads), shape,
               material);
  }
  int add_obstacle(const Collider::Shared& shape, SupportMotion motion = {},
                   const ContactMaterial& material = {}) {
    return world.add_obstacle(new_name(), {shape, material, {}}, std::move(motion));
  }
  [[nodiscard]] DynamicBody& body(int who) {
    return *world.body(world.find(world.name_of(who))).dynamics;
  }
  void step(double h = kStep) { EXPECT_FALSE(world.step(h)); }
  void run(double seconds, double h = kStep) {
    const int steps = static_cast<int>(seconds / h + 0.5);
    for (int k = 0; k < steps; ++k) step(h);
  }

 private:
  std::string new_name() { return std::to_string(names_++); }

  int names_ = 0;
};

/// Nobody falls asleep.
inline ContactOptions awake() {
  ContactOptions options;
  options.sleeping = false;
  return options;
}

/// Which contacts there are.
inline std::set<std::pair<int, std::uint32_t>> features(const Contacts& contacts) {
  std::set<std::pair<int, std::uint32_t>> found;
  for (const ContactRecord& one : contacts.contacts()) found.emplace(one.a, one.feature);
  return found;
}

/// A frame whose y axis is the normal of a plane.
inline SupportMotion tilted(const Vec3& normal, const Vec3& through = Vec3::Zero()) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal);
  return SupportMotion({{0, through, turn}});
}

}  // namespace limber::test
