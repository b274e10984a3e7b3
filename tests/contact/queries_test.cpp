// Rays and balls cast at what stands in a world.
#include "limber/contact/contact_queries.h"

#include <gtest/gtest.h>

#include "contact/contact_scene.h"
#include "contact/surfaces.h"
#include "limber/core/error.h"

namespace limber {
namespace {

using test::ContactScene;
using test::placed;

TEST(Casts, FindTheNearestOfAllShapes) {
  ContactScene scene;
  const int ground = scene.add_obstacle(Collider::plane());
  const int box = scene.add_rigid(Collider::box({0.2, 0.2, 0.2}), 1, placed({1, 1, 0}));
  const int ball = scene.add_rigid(Collider::sphere(0.1), 1, placed({3, 1, 0}));
  const test::Surface mesh = test::box_surface({0.2, 0.2, 0.2}, 3);
  const int hull =
      scene.add_rigid(Collider::mesh(mesh.vertices, mesh.triangles), 1, placed({5, 0.93, -0.11}));
  scene.contacts.refresh(0);
  const CastHit first = cast_ray(scene.contacts, {0, 1, 0}, {2, 0, 0}, 10);
  ASSERT_TRUE(first.hit);
  EXPECT_EQ(first.who, box);
  EXPECT_NEAR(first.distance, 0.9, 1e-5);
  EXPECT_NEAR(first.normal.x(), -1, 1e-9);
  const CastHit second = cast_ray(scene.contacts, {2, 1, 0}, {1, 0, 0}, 10);
  EXPECT_EQ(second.who, ball);
  EXPECT_NEAR(second.distance, 0.9, 1e-5);
  const CastHit third = cast_ray(scene.contacts, {4, 1, 0}, {1, 0, 0}, 10);
  EXPECT_EQ(third.who, hull);
  EXPECT_NEAR(third.distance, 1, 1e-9);
  const CastHit down = cast_ray(scene.contacts, {2, 1, 0}, {0, -1, 0}, 10);
  EXPECT_EQ(down.who, ground);
  EXPECT_NEAR(down.distance, 1, 1e-5);
  EXPECT_FALSE(cast_ray(scene.contacts, {2, 1, 0}, {0, 1, 0}, 10).hit);
  EXPECT_FALSE(cast_ray(scene.contacts, {0, 1, 0}, {1, 0, 0}, 0.5).hit);
}

TEST(Casts, ABallIsStoppedEarlierThanARay) {
  ContactScene scene;
  const int box = scene.add_rigid(Collider::box({0.2, 0.2, 0.2}), 1, placed({1, 0, 0}));
  scene.contacts.refresh(0);
  const CastHit hit = cast_sphere(scene.contacts, {0, 0.15, 0}, {1, 0, 0}, 10, 0.1);
  ASSERT_TRUE(hit.hit);
  EXPECT_EQ(hit.who, box);
  // The ball's centre passes 5 cm above the edge: it touches where the edge is 10 cm away.
  EXPECT_NEAR(hit.distance, 0.9 - std::sqrt(0.01 - 0.0025), 1e-5);
  EXPECT_THROW(static_cast<void>(cast_ray(scene.contacts, {0, 0, 0}, {0, 0, 0}, 1)), Error);
}

}  // namespace
}  // namespace limber
