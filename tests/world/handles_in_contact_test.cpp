// Hands that take hold of a body while it lies on something.
#include <gtest/gtest.h>

#include "limber/scene/scene_world.h"

namespace limber {
namespace {

constexpr const char* kBoxOnTheGround = R"({"limber": 1, "time_step": 0.01, "ground": {},
  "contact": {"sleep": false},
  "bodies": [{"name": "box", "shape": "bar", "size": [0.3, 0.3, 0.3], "cells": [2, 2, 2],
    "material": {"young": 2e5, "poisson": 0.3, "density": 1000}, "modes": 12}]})";

/// All corners at once: more rows than were reserved when the body first touched the ground.
void hold_corners(DynamicBody& body) {
  Positions nodes(body.node_count(), 3);
  body.node_positions(nodes);
  for (int node = 0; node < body.node_count(); ++node) {
    Handle handle;
    handle.point = BodyPoint::at_node(node);
    handle.target = Path({0.0}, {Vec3(nodes.row(node).transpose())});
    body.handles().add(handle);
  }
}

TEST(HandlesInContact, ComeAfterTheBodyHasTouchedTheGround) {
  SceneWorld scene(parse_scene(kBoxOnTheGround, "", "box"));
  for (int k = 0; k < 20; ++k) scene.step();
  ASSERT_FALSE(scene.world().contacts().contacts().empty());
  const Positions before = scene.bodies()[0].node_positions();
  hold_corners(scene.bodies()[0].dynamics());
  for (int k = 0; k < 20; ++k) scene.step();
  // Held where it lies: rounding of single precision in contacts apart.
  EXPECT_LT((scene.bodies()[0].node_positions() - before).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(HandlesInContact, FirstStepIsTheSameFromASnapshot) {
  SceneWorld scene(parse_scene(kBoxOnTheGround, "", "box"));
  for (int k = 0; k < 20; ++k) scene.step();
  hold_corners(scene.bodies()[0].dynamics());
  const WorldSnapshot before = scene.world().snapshot();
  scene.step();
  const Positions once = scene.bodies()[0].node_positions();
  scene.restore(before);
  scene.step();
  EXPECT_EQ(scene.bodies()[0].node_positions(), once);
}

}  // namespace
}  // namespace limber
