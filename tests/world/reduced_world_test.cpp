// Reduced bodies among others: on the ground, held, thrown, and back from snapshots.
#include <gtest/gtest.h>

#include "limber/scene/scene_world.h"

namespace limber {
namespace {

constexpr const char* kReducedBox = R"({"limber": 1, "time_step": 0.01, "ground": {"friction": 0.5},
  "contact": {"sleep": false}, "gravity": [0, -9.81, 0],
  "bodies": [{"name": "box", "shape": "bar", "size": [0.3, 0.3, 0.3], "cells": [3, 3, 3],
    "position": [0, 0.02, 0], "material": {"young": 2e5, "poisson": 0.3, "density": 1000},
    "damping": {"mass": 0.5, "stiffness": 0.004}, "modes": 12, "fields": 16,
    "method": "reduced"}]})";

TEST(ReducedWorld, ABoxComesToRestUnderItsWeight) {
  SceneWorld scene(parse_scene(kReducedBox, "", "box"));
  for (int k = 0; k < 200; ++k) scene.step();
  const WorldBody& box = scene.world().body(scene.bodies()[0].id());
  EXPECT_FALSE(box.stopped());
  const Vec3 force = scene.world().contacts().contact_force(box.participant);
  const double weight = 27 * 9.81;
  EXPECT_NEAR(force.y(), weight, 0.01 * weight);
  EXPECT_LT(scene.bodies()[0].dynamics().kinetic_energy(), 1e-6);
  EXPECT_GT(scene.bodies()[0].node_positions().col(1).minCoeff(), -0.02 * 0.3);
}

TEST(ReducedWorld, ComesBackFromASnapshotBitForBit) {
  SceneWorld scene(parse_scene(kReducedBox, "", "box"));
  for (int k = 0; k < 12; ++k) scene.step();  // it touches by then
  ASSERT_FALSE(scene.world().contacts().contacts().empty());
  Handle handle;
  handle.point = BodyPoint::at_node(63);
  handle.target = Path({0.0}, {Vec3(0.3, 0.35, 0.3)});
  handle.kind = HandleKind::spring;
  handle.stiffness = 500;
  scene.bodies()[0].dynamics().handles().add(handle);
  scene.step();
  const WorldSnapshot before = scene.world().snapshot();
  for (int k = 0; k < 20; ++k) scene.step();
  const Positions once = scene.bodies()[0].node_positions();
  scene.restore(before);
  for (int k = 0; k < 20; ++k) scene.step();
  EXPECT_EQ(scene.bodies()[0].node_positions(), once);
}

}  // namespace
}  // namespace limber
