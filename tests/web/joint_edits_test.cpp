// Joints that people make are joints of the scene that `limber simulate` runs.
#include "server/joint_edits.h"

#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "web/edited_scenes.h"

namespace limber::studio {
namespace {

using nlohmann::json;

json two_balls() {
  json scene = one_ball();
  scene["bodies"].push_back(ball("other", {0.7, 0.5, 0}));
  scene["obstacles"] = {
      {{"name", "post"}, {"shape", "box"}, {"size", {0.1, 0.1, 0.1}}, {"position", {0, 1.2, 0}}}};
  return scene;
}

NewJoint joint(const char* kind, JointSide a, JointSide b, const Vec3& at) {
  return {kind, {a, b}, at, std::nullopt};
}

constexpr JointSide kFirst{0, std::nullopt}, kSecond{1, std::nullopt}, kWorld{};
constexpr JointSide kPost{std::nullopt, 0};

std::unique_ptr<Simulation> joined() {
  std::unique_ptr<Simulation> scene =
      std::make_unique<WorldSimulation>("balls", two_balls(), "", Progress{});
  scene = edited(*scene, add_joint(joint("ball", kFirst, kSecond, {0.35, 0.5, 0})));
  scene = edited(*scene, add_joint(joint("hinge", kFirst, kPost, {0, 0.8, 0})));
  NewJoint rope = joint("distance", kSecond, kWorld, {0.7, 0.8, 0});
  rope.to = Vec3(0.7, 1.5, 0);
  return edited(*scene, add_joint(rope));
}

TEST(JointEdits, MakeAWorldThatSimulateRunsToTheSameBits) {
  const auto scene = joined();
  const std::vector<JointState> joints = scene->joints();
  ASSERT_EQ(joints.size(), 3U);
  EXPECT_EQ(joints[0].kind, "ball");
  EXPECT_EQ(joints[1].bodies, (std::array<std::string, 2>{"ball", "post"}));
  EXPECT_EQ(joints[1].axis, Vec3(0, 0, 1));
  EXPECT_EQ(joints[2].bodies[1], "") << "the world";
  EXPECT_EQ(joints[2].to, Vec3(0.7, 1.5, 0));
  expect_same_bits(*scene, 50);
}

TEST(JointEdits, ChangeWhatIsNamedAndNothingElse) {
  auto scene = joined();
  JointChange change;
  change.axis = Vec3(1, 0, 0);
  change.break_force = 500;
  change.limits = {{-0.5, 0.5}};
  change.collide = true;
  scene = edited(*scene, change_joint(1, change));
  JointState hinge = scene->joints()[1];
  EXPECT_EQ(hinge.axis, Vec3(1, 0, 0));
  EXPECT_EQ(hinge.break_force, 500);
  EXPECT_EQ(hinge.limits, (std::array<double, 2>{-0.5, 0.5}));
  EXPECT_TRUE(hinge.collide);
  EXPECT_EQ(hinge.at, Vec3(0, 0.8, 0));
  change = {};
  change.break_force = 0;
  change.limits.emplace();
  scene = edited(*scene, change_joint(1, change));
  hinge = scene->joints()[1];
  EXPECT_FALSE(hinge.break_force);
  EXPECT_FALSE(hinge.limits);
  EXPECT_EQ(hinge.axis, Vec3(1, 0, 0));
  scene = edited(*scene, remove_joint(0));
  ASSERT_EQ(scene->joints().size(), 2U);
  EXPECT_EQ(scene->joints()[0].kind, "hinge");
}

TEST(JointEdits, RefuseWhatCannotBeJoined) {
  const auto scene = joined();
  const auto refused = [&](const SceneEdit& edit, const char* why) {
    try {
      (void)edited(*scene, edit);
      ADD_FAILURE() << why;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused(add_joint(joint("ball", kFirst, kFirst, {0, 0.5, 0})), "with itself");
  refused(add_joint(joint("ball", kWorld, kWorld, {0, 0.5, 0})), "without a body");
  refused(add_joint(joint("ball", kPost, kWorld, {0, 0.5, 0})), "do not move");
  refused(add_joint(joint("ball", {7, std::nullopt}, kWorld, {0, 0.5, 0})), "does not exist");
  refused(change_joint(9, {}), "does not exist");
  refused(remove_joint(-1), "does not exist");
  JointChange change;
  change.radius = 0.1;
  refused(change_joint(0, change), "only welds");
  change = {};
  change.limits = {{1, -1}};
  refused(change_joint(1, change), "wrong order");
}

/// Of a joint of the first lane in a frame: whether it has broken.
bool broken(const Simulation& scene, std::size_t number) {
  FrameWriter frame({1, 0, 0, 0, 0, 0});
  scene.write_frame(frame, 0);
  const std::string bytes = frame.take();
  // Ten numbers a joint behind the head of the one instance of kind 6 (frame_writer.h).
  for (std::size_t at = 24; at + 12 <= bytes.size();) {
    const auto kind = static_cast<unsigned char>(bytes[at]);
    const auto flags = static_cast<unsigned char>(bytes[at + 1]);
    std::uint16_t count = 0;
    std::memcpy(&count, &bytes[at + 2], 2);
    at += 12 + ((flags & 1) != 0 ? 28 : 0);
    if (kind == 6) {
      float force = 0;
      std::memcpy(&force, &bytes[at + 4 * (10 * number + 9)], 4);
      return force < 0;
    }
    at += 4U * count * (kind == 2 || kind == 4 ? 3U : 1U);
  }
  ADD_FAILURE() << "the frame has no joints";
  return false;
}

TEST(JointEdits, WhatHasBrokenStaysSoUntilTheScenesStart) {
  auto scene = joined();
  JointChange weak;
  weak.break_force = 0.01;
  scene = edited(*scene, change_joint(1, weak));
  scene->set_gravity({0, -9.81, 0});
  for (int k = 0; k < 20; ++k) scene->step();
  EXPECT_TRUE(broken(*scene, 1));
  EXPECT_FALSE(broken(*scene, 0));
  auto next = edited(*scene, add_obstacle("sphere", std::nullopt));
  next->carry_over(*scene);
  EXPECT_TRUE(broken(*next, 1));
  next->step();
  EXPECT_TRUE(broken(*next, 1));
  next->reset();
  EXPECT_FALSE(broken(*next, 1));
}

}  // namespace
}  // namespace limber::studio
