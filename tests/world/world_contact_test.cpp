// What the world adds to contact: names, numbers and sleep.
#include <gtest/gtest.h>

#include "contact/contact_scene.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {
namespace {

using test::ContactScene;
using test::placed;

Collider::Shared small_box() { return Collider::box(Vec3::Constant(test::kEdge)); }

TEST(WorldContact, NamesAreThoseOfBodiesAndObstaclesAlike) {
  World world;
  const int ground = world.add_obstacle("ground", {Collider::plane(), {}, {}});
  const BodyId box = world.add("box", std::make_unique<RigidBody>(filled_evenly(*small_box(), 1)),
                               {small_box(), {}, {}});
  EXPECT_EQ(world.name_of(ground), "ground");
  EXPECT_EQ(world.name_of(world.participant(box)), "box");
  EXPECT_THROW(world.add_obstacle("box", {small_box(), {}, {}}), Error);
  EXPECT_THROW(world.add("ground", std::make_unique<RigidBody>(filled_evenly(*small_box(), 1))),
               Error);
  EXPECT_THROW(world.add_obstacle("nothing", {}), Error);
  const BodyId ghost =
      world.add("ghost", std::make_unique<RigidBody>(filled_evenly(*small_box(), 1)));
  EXPECT_THROW(static_cast<void>(world.participant(ghost)), Error);
}

TEST(WorldContact, WhoLosesWhatItStandsOnFalls) {
  ContactScene scene;
  const int table = scene.add_obstacle(Collider::box({1, 0.1, 1}));
  const int box = scene.add_rigid(small_box(), 1, placed({0, 0.1, 0}));
  scene.run(2);
  ASSERT_TRUE(scene.contacts.asleep(box));
  scene.world.remove_obstacle(table);
  scene.run(0.5);
  EXPECT_LT(scene.body(box).frame().position.y(), -1);
}

TEST(WorldContact, ASleeperIsWokenByAPushAndKeepsTheWorldsTime) {
  ContactScene scene;
  scene.add_obstacle(Collider::plane());
  const int box = scene.add_rigid(small_box(), 1, placed({0, test::kEdge / 2, 0}));
  scene.run(2);
  ASSERT_TRUE(scene.contacts.asleep(box));
  scene.run(1);
  EXPECT_NEAR(scene.body(box).time(), scene.world.time(), 1e-9);
  EXPECT_NEAR(scene.contacts.contact_force(box).y(), test::kGravity, 1e-3);
  scene.body(box).apply_impulse(RigidBody::point(Vec3::Zero()), {0, 2, 0});
  scene.step();
  EXPECT_FALSE(scene.contacts.asleep(box));
  EXPECT_GT(scene.body(box).frame().position.y(), 0.6 * test::kEdge);
}

TEST(WorldContact, ALoadThatIsStillToComeKeepsABodyAwake) {
  ContactScene scene;
  scene.add_obstacle(Collider::plane());
  Loads loads = test::falling();
  loads.gravity.push_back({{0, 3 * test::kGravity, 0}, 3, 4});
  const int box = scene.add_rigid(small_box(), 1, placed({0, test::kEdge / 2, 0}), {}, loads);
  scene.run(2.9);
  EXPECT_FALSE(scene.contacts.asleep(box));
  scene.run(0.6);
  EXPECT_GT(scene.body(box).frame().position.y(), 0.5);
}

TEST(WorldContact, WhatHasNothingNearFliesAsIfAlone) {
  const auto far = [](bool with_others) {
    ContactScene scene;
    if (with_others) {
      scene.add_obstacle(Collider::sphere(0.5), SupportMotion({{0, {50, 0, 0}}}));
      scene.add_rigid(small_box(), 1, placed({-50, 0, 0}));
    }
    FrameState start = placed({0, 0, 0});
    start.velocity = {1, 5, 0};
    start.angular_velocity = {1, 2, 3};
    const int one = scene.add_rigid(small_box(), 1, start);
    scene.run(1);
    return scene.body(one).frame();
  };
  EXPECT_EQ(far(true).position, far(false).position);
  EXPECT_EQ(far(true).rotation, far(false).rotation);
}

}  // namespace
}  // namespace limber
