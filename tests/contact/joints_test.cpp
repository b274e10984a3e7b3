// Joints of rigid bodies: pendulums, chains, hinges, welds, sliders, ropes; and what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/contact_scene.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {
namespace {

using test::ContactScene;
using test::kGravity;
using test::kStep;
using test::placed;

JointSpec joint(JointKind kind, int a, int b, const Vec3& at) {
  JointSpec spec;
  spec.kind = kind;
  spec.a = a;
  spec.b = b;
  spec.at = at;
  return spec;
}

TEST(Pendulum, PeriodIsThatOfTheClosedForm) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  const double length = 1, edge = 0.1, swing = 0.2;
  const Collider::Shared box = Collider::box({edge, length, edge});
  const Mat3 turn = rotation_exp({0, 0, swing});
  const int rod = scene.add_rigid(box, 1, placed(turn * Vec3(0, -length / 2, 0), turn));
  scene.contacts.add_joint(joint(JointKind::ball, rod, kTheWorld, Vec3::Zero()));
  const double about_pivot = (length * length + edge * edge) / 12 + length * length / 4;
  // The first terms of the elliptic integral for the amplitude.
  const double period = 2 * std::numbers::pi * std::sqrt(about_pivot / (kGravity * length / 2)) *
                        (1 + swing * swing / 16 + 11 * std::pow(swing, 4) / 3072);
  double crossings = 0, first = 0, last = 0, before = 1;
  for (int k = 0; k < 600; ++k) {
    scene.step();
    const double x = scene.body(rod).frame().position.x();
    if (before < 0 && x >= 0) {
      last = scene.world.time() - kStep * x / (x - before);
      if (crossings++ == 0) first = last;
    }
    before = x;
    EXPECT_LT(scene.contacts.joint(0).error(), 1e-3 * length);
  }
  ASSERT_GT(crossings, 2);
  EXPECT_NEAR((last - first) / (crossings - 1), period, 0.01 * period);
}

TEST(Chain, HangsWithoutStretching) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  const double link = 0.2;
  const Collider::Shared box = Collider::box({0.04, link, 0.04});
  int above = kTheWorld;
  for (int k = 0; k < 10; ++k) {
    const int next = scene.add_rigid(box, 1, placed({0, -link * (k + 0.5), 0}));
    scene.contacts.add_joint(joint(JointKind::ball, next, above, {0, -link * k, 0}));
    above = next;
  }
  scene.run(3);
  for (int k = 0; k < 10; ++k) EXPECT_LT(scene.contacts.joint(k).error(), 1e-4 * link) << k;
  EXPECT_NEAR(scene.contacts.joint(0).force(), 10 * kGravity, 0.1 * kGravity);
  EXPECT_LT(scene.body(above).kinetic_energy(), 1e-6);
}

TEST(Hinge, TurnsAboutItsAxisAloneWithinItsLimits) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  const int door = scene.add_rigid(Collider::box({0.4, 0.05, 0.2}), 1, placed({0.2, 0, 0}));
  JointSpec spec = joint(JointKind::hinge, door, kTheWorld, Vec3::Zero());
  spec.axis = Vec3::UnitZ();
  spec.lowest = -0.5;
  spec.highest = 0.5;
  const int number = scene.contacts.add_joint(spec);
  scene.run(3);
  const Vec3 turn = rotation_log(scene.body(door).frame().rotation);
  EXPECT_NEAR(turn.z(), -0.5, 0.01);
  EXPECT_LT(turn.head<2>().norm(), 1e-3);
  EXPECT_NEAR(scene.contacts.joint(number).angle(), -0.5, 0.01);
}

TEST(Hinge, AMotorReachesItsSpeed) {
  ContactScene scene;
  const int wheel = scene.add_rigid(Collider::box({0.4, 0.4, 0.1}), 1, placed({0, 0, 0}), {}, {});
  JointSpec spec = joint(JointKind::hinge, wheel, kTheWorld, Vec3::Zero());
  spec.axis = Vec3::UnitZ();
  spec.motor_speed = 5;
  spec.motor_torque = 0.5;
  scene.contacts.add_joint(spec);
  const double inertia = 2 * 0.4 * 0.4 / 12;
  scene.run(0.1);
  EXPECT_NEAR(scene.body(wheel).frame().angular_velocity.z(), 0.1 * 0.5 / inertia, 0.02);
  scene.run(2);
  EXPECT_NEAR(scene.body(wheel).frame().angular_velocity.z(), 5, 1e-3);
}

TEST(Weld, HoldsABeamOutSideways) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  const int beam = scene.add_rigid(Collider::box({0.4, 0.1, 0.1}), 1, placed({0.2, 0, 0}));
  scene.contacts.add_joint(joint(JointKind::weld, beam, kTheWorld, Vec3::Zero()));
  scene.run(2);
  EXPECT_LT((scene.body(beam).frame().position - Vec3(0.2, 0, 0)).norm(), 2e-3);
}

TEST(Slider, MovesAlongItsAxisUpToItsStop) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  const int lift = scene.add_rigid(Collider::box({0.2, 0.2, 0.2}), 1, placed({0, 0, 0}));
  JointSpec spec = joint(JointKind::slider, lift, kTheWorld, Vec3::Zero());
  spec.axis = Vec3(1, -1, 0).normalized();
  spec.lowest = -0.1;
  spec.highest = 0.3;
  scene.contacts.add_joint(spec);
  scene.run(0.2);
  // Along the axis gravity's share alone acts.
  const double way = scene.body(lift).frame().position.norm();
  EXPECT_NEAR(way, kGravity / std::sqrt(2) * 0.02, 0.03 * 0.2);
  scene.run(2);
  const Vec3 x = scene.body(lift).frame().position;
  EXPECT_NEAR(x.dot(spec.axis), 0.3, 1e-3);
  EXPECT_LT((x - x.dot(spec.axis) * spec.axis).norm(), 1e-3);
  EXPECT_LT(rotation_log(scene.body(lift).frame().rotation).norm(), 1e-2);
}

TEST(Distance, ARopeHoldsAtItsLengthAndIsSlackBefore) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  const int ball = scene.add_rigid(Collider::sphere(0.05), 1, placed({0, 0, 0}));
  JointSpec spec = joint(JointKind::distance, ball, kTheWorld, Vec3::Zero());
  spec.at_b = Vec3(0, 0.2, 0);
  spec.highest = 0.5;
  scene.contacts.add_joint(spec);
  scene.run(0.15);
  EXPECT_NEAR(scene.body(ball).frame().position.y(), -kGravity * 0.15 * 0.15 / 2, 0.005);
  scene.run(2);
  EXPECT_NEAR(scene.body(ball).frame().position.y(), -0.3, 1e-3);
}

TEST(Joints, BreakAtTheirForce) {
  for (const double force : {9.0, 11.0}) {
    ContactScene scene;
    scene.contacts.set_options(test::awake());
    const int box = scene.add_rigid(Collider::box({0.1, 0.1, 0.1}), 1, placed({0, 0, 0}));
    JointSpec spec = joint(JointKind::ball, box, kTheWorld, {0, 0.05, 0});
    spec.break_force = force;
    scene.contacts.add_joint(spec);
    scene.run(1);
    EXPECT_EQ(scene.contacts.joint(0).broken(), force < kGravity);
    EXPECT_EQ(scene.body(box).frame().position.y() < -1, force < kGravity);
  }
}

/// The joint takes up the blow in the first substep; it is weight alone in the last. What holds the
/// box has given it the whole blow back after the step, and its weight: F h = J + m g h.
TEST(Joints, BreakUnderABlowThatOneSubstepTakesUp) {
  const double blow = 0.5;  // N s
  const double force = blow / kStep + kGravity;
  for (const double share : {0.9, 1.1}) {
    ContactScene scene;
    scene.contacts.set_options(test::awake());
    const int box = scene.add_rigid(Collider::box({0.1, 0.1, 0.1}), 1, placed({0, 0, 0}));
    JointSpec spec = joint(JointKind::ball, box, kTheWorld, {0, 0.05, 0});
    spec.break_force = share * force;
    scene.contacts.add_joint(spec);
    scene.run(0.5);
    EXPECT_NEAR(scene.contacts.joint(0).force(), kGravity, 1e-3 * kGravity);
    scene.body(box).apply_impulse(RigidBody::point(Vec3::Zero()), {0, -blow, 0});
    scene.step();
    EXPECT_NEAR(scene.contacts.joint(0).force(), force, 0.05 * force);
    EXPECT_EQ(scene.contacts.joint(0).broken(), share < 1);
  }
}

TEST(Joints, ThatBrokeSinceASnapshotHoldAgainAfterIt) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  // Two boxes lie in each other and do not touch while the joint holds.
  const int hung = scene.add_rigid(Collider::box({0.1, 0.1, 0.1}), 1, placed({0, 0, 0}));
  const int below = scene.add_rigid(Collider::box({0.1, 0.1, 0.1}), 1, placed({0, -0.05, 0}));
  scene.contacts.add_joint(joint(JointKind::ball, hung, kTheWorld, {0, 0.05, 0}));
  JointSpec weak = joint(JointKind::ball, below, hung, {0, -0.02, 0});
  weak.break_force = 50;
  const int number = scene.contacts.add_joint(weak);
  scene.run(0.2);
  const WorldSnapshot before = scene.world.snapshot();
  const auto go_on = [&] {
    scene.run(0.1);
    return scene.body(below).frame().position;
  };
  const Vec3 held = go_on();
  ASSERT_FALSE(scene.contacts.joint(number).broken());
  scene.body(below).set_loads(test::falling({0, -100, 0}));
  scene.run(0.1);
  ASSERT_TRUE(scene.contacts.joint(number).broken());
  scene.body(below).set_loads(test::falling());
  scene.world.restore(before);
  EXPECT_EQ(go_on(), held);
  EXPECT_FALSE(scene.contacts.joint(number).broken());
}

TEST(Joints, BetweenTwoBodiesKeepMomenta) {
  ContactScene scene;
  FrameState left = placed({-0.1, 0, 0});
  left.velocity = {0, 1, 0};
  const int a = scene.add_rigid(Collider::box({0.2, 0.1, 0.1}), 1, left, {}, {});
  const int b = scene.add_rigid(Collider::box({0.2, 0.1, 0.1}), 2, placed({0.1, 0, 0}), {}, {});
  scene.contacts.add_joint(joint(JointKind::hinge, a, b, Vec3::Zero()));
  const auto total = [&] {
    Momentum sum = scene.body(a).momentum();
    return sum += scene.body(b).momentum();
  };
  const Momentum before = total();
  scene.run(2);
  EXPECT_LT((total().linear - before.linear).norm(), 1e-12);
  EXPECT_LT((total().angular - before.angular).norm(), 1e-12);
  EXPECT_LT(scene.contacts.joint(0).error(), 1e-3);
}

TEST(Joints, ThatAskForTheImpossibleStayCalm) {
  ContactScene scene;
  const int box = scene.add_rigid(Collider::box({0.1, 0.1, 0.1}), 1, placed({0, 0, 0}), {}, {});
  JointSpec left = joint(JointKind::ball, box, kTheWorld, Vec3::Zero());
  left.point_a = RigidBody::point({-0.05, 0, 0});
  left.point_b = RigidBody::point({-0.2, 0, 0});
  JointSpec right = left;
  right.point_a = RigidBody::point({0.05, 0, 0});
  right.point_b = RigidBody::point({0.2, 0, 0});
  scene.contacts.add_joint(left);
  scene.contacts.add_joint(right);
  for (int k = 0; k < 120; ++k) {
    scene.step();
    EXPECT_LT(scene.body(box).frame().velocity.norm(), 2);
    EXPECT_LT(scene.body(box).frame().position.norm(), 0.2);
  }
}

TEST(Joints, RefuseWhatCannotBeJoined) {
  ContactScene scene;
  const int box = scene.add_rigid(Collider::box({0.1, 0.1, 0.1}), 1, placed({0, 0, 0}));
  const int ground = scene.add_obstacle(Collider::plane());
  const auto add = [&](const JointSpec& spec) { scene.contacts.add_joint(spec); };
  EXPECT_THROW(add(joint(JointKind::ball, box, box, Vec3::Zero())), Error);
  EXPECT_THROW(add(joint(JointKind::ball, ground, kTheWorld, Vec3::Zero())), Error);
  EXPECT_THROW(add(joint(JointKind::ball, box, 17, Vec3::Zero())), Error);
  JointSpec hinge = joint(JointKind::hinge, box, kTheWorld, Vec3::Zero());
  hinge.axis.setZero();
  EXPECT_THROW(add(hinge), Error);
  hinge.axis = Vec3::UnitX();
  hinge.lowest = 1;
  hinge.highest = -1;
  EXPECT_THROW(add(hinge), Error);
  JointSpec motor = joint(JointKind::ball, box, kTheWorld, Vec3::Zero());
  motor.motor_torque = 1;
  EXPECT_THROW(add(motor), Error);
}

}  // namespace
}  // namespace limber
