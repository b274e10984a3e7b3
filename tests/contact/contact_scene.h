// A small world for tests of contact: bodies, the ground, and a step that reads as its stages.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "limber/contact/contacts.h"
#include "limber/dynamics/rigid_body.h"

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

struct ContactScene {
  Contacts contacts;
  std::vector<std::unique_ptr<DynamicBody>> bodies;  // by participant; null: an obstacle
  double time = 0;

  int add(std::unique_ptr<DynamicBody> body, Collider::Shared shape,
          const ContactMaterial& material = {}) {
    const int who = contacts.add_body(*body, std::move(shape), material);
    bodies.resize(static_cast<std::size_t>(who) + 1);
    bodies[static_cast<std::size_t>(who)] = std::move(body);
    return who;
  }
  int add_rigid(const Collider::Shared& shape, double mass, const FrameState& start,
                const ContactMaterial& material = {}, const Loads& loads = falling()) {
    return add(std::make_unique<RigidBody>(filled_evenly(*shape, mass), start, loads), shape,
               material);
  }
  int add_obstacle(const Collider::Shared& shape, SupportMotion motion = {},
                   const ContactMaterial& material = {}) {
    const int who = contacts.add_obstacle(shape, std::move(motion), material);
    bodies.resize(static_cast<std::size_t>(who) + 1);
    return who;
  }
  [[nodiscard]] DynamicBody& body(int who) const { return *bodies[static_cast<std::size_t>(who)]; }

  /// How a world's step reads; see contacts.h.
  void step(double h = kStep) {
    const int parts = contacts.parts(time, h);
    for (int part = 0; part < parts; ++part) step_part(h / parts);
  }
  void step_part(double h) {
    const int substeps = contacts.options().substeps;
    contacts.detect(time, h);
    contacts.build(h / substeps);
    for (int s = 0; s < substeps; ++s) {
      each_touching(
          [&](DynamicBody& one) { return one.predict(h / substeps, StepKind::touching); });
      contacts.substep(s == substeps - 1);
      each_touching([&](DynamicBody& one) { return one.commit(); });
    }
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const int who = static_cast<int>(k);
      if (!bodies[k] || contacts.participant(who).stopped) continue;
      if (contacts.touches(who) || contacts.asleep(who)) continue;
      if (advance(*bodies[k], h)) contacts.stop(who);
    }
    contacts.finish();
    time += h;
  }
  void run(double seconds, double h = kStep) {
    const int steps = static_cast<int>(seconds / h + 0.5);
    for (int k = 0; k < steps; ++k) step(h);
  }

 private:
  template <class Act>
  void each_touching(const Act& act) {
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const int who = static_cast<int>(k);
      if (bodies[k] && contacts.touches(who) && !contacts.participant(who).stopped &&
          act(*bodies[k]))
        contacts.stop(who);
    }
  }
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
