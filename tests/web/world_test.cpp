// Scenes as the studio plays them: a support that is thrown around, bodies that meet the ground.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/scene/scene_world.h"
#include "server/world_simulation.h"

namespace limber::studio {
namespace {

constexpr double kPi = std::numbers::pi;

nlohmann::json bar_scene(const std::string& method) {
  return {{"limber", 1},
          {"time_step", 1.0 / 60},
          {"bodies",
           {{{"name", "bar"},
             {"shape", "bar"},
             {"size", {1, 0.2, 0.2}},
             {"cells", {5, 1, 1}},
             {"material", {{"young", 2e6}, {"poisson", 0.3}, {"density", 1000}}},
             {"fixed", {"x<=0.001"}},
             {"damping", {{"mass", 6}, {"stiffness", 0.01}}},
             {"method", method},
             {"modes", 8}}}}};
}

/// The middle of the far end.
Vec3 tip_of(const WorldSimulation& world) {
  const Positions rest = world.recorded_bodies().front().rest_positions;
  const Positions now = world.surfaces().front();
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (Eigen::Index v = 0; v < rest.rows(); ++v) {
    if (rest(v, 0) < 0.999) continue;
    sum += now.row(v).transpose();
    ++count;
  }
  return sum / count;
}

void play(WorldSimulation& world, int steps) {
  for (int k = 0; k < steps; ++k) world.step();
}

TEST(ShakenSupport, GoesSmoothlyFromStepToStep) {
  constexpr double h = 1.0 / 60;
  const SupportMotion scene({{0, {0, 0, 0}, Eigen::Quaterniond::Identity()},
                             {1, {0.4, 0.1, 0}, Eigen::Quaterniond(0.8, 0, 0.6, 0)}});
  ShakenSupport support;
  support.set_pivot({0.2, 0.3, -0.1});
  EXPECT_TRUE(support.at_rest());
  const Mat3 turn = rotation_exp(Vec3(0.5, -1.2, 0.8));
  support.set_target({0.3, 0, -0.2}, Eigen::Quaterniond(turn));
  FrameState last = scene.at(0);
  for (int k = 0; k < 50; ++k) {
    const double t = k * h;
    support.step(h, 1);
    EXPECT_FALSE(support.at_rest());
    const SupportMotion motion = support.over_step(scene, t, h);
    EXPECT_TRUE(motion.jumps_in(t, t + h).empty());
    const FrameState start = motion.at(t);
    EXPECT_LT((start.position - last.position).norm(), 1e-9);
    EXPECT_LT((start.velocity - last.velocity).norm(), 1e-9);
    EXPECT_LT((start.rotation - last.rotation).norm(), 1e-9);
    // Rotation vectors are taken from a key one step back: ω differs by the square of a step's
    // turn, here up to 0.2 rad, of up to 12 rad/s.
    EXPECT_LT((start.angular_velocity - last.angular_velocity).norm(), 0.1);
    last = motion.at(t + h);
  }
  // 50 steps at 3.5 Hz are 18 time constants; (1 + 18) e^−18 is 3e-7 of the way.
  const FrameState aim = scene.at(50 * h);
  EXPECT_LT((last.rotation - turn * aim.rotation).norm(), 1e-5);
  const Vec3 pivot(0.2, 0.3, -0.1);
  EXPECT_LT((last.position - (pivot + Vec3(0.3, 0, -0.2) + turn * (aim.position - pivot))).norm(),
            1e-5);
  support.set_target(Vec3::Zero(), Eigen::Quaterniond::Identity());
  for (int k = 0; k < 120; ++k) support.step(h, 1);
  EXPECT_TRUE(support.at_rest());
}

class ShakenWorld : public ::testing::TestWithParam<const char*> {};

TEST_P(ShakenWorld, StandsUprightOnASupportThatWasTurned) {
  WorldSimulation world("bar", bar_scene(GetParam()), {}, {});
  world.set_gravity({0, -9.81, 0});
  play(world, 300);
  const double sag = 0.1 - tip_of(world).y();
  EXPECT_GT(sag, 0.02);
  // A quarter turn about z lets it point up: its weight then presses along it, ρgL²/2E = 2.5 mm.
  world.set_support(Vec3(0, 0.5, 0), {0, 0, std::sin(kPi / 4), std::cos(kPi / 4)});
  play(world, 400);
  EXPECT_LT((tip_of(world) - Vec3(0, 1.6, 0.1)).norm(), 0.01);
  // As seen from the support it is nearly at rest: the key poses of the time line are seen so.
  const Positions pose = world.pose();
  EXPECT_NEAR(pose.col(0).maxCoeff(), 1, 0.01);
  EXPECT_NEAR(pose.col(1).maxCoeff(), 0.2, 0.01);
  world.set_support(Vec3::Zero(), {0, 0, 0, 1});
  play(world, 400);
  EXPECT_NEAR(0.1 - tip_of(world).y(), sag, 0.01 * sag);
}

TEST_P(ShakenWorld, LeavesItsTipBehindWhenTheSupportTurnsFast) {
  WorldSimulation world("bar", bar_scene(GetParam()), {}, {});
  world.set_gravity(Vec3::Zero());
  world.set_support(Vec3::Zero(), {0, std::sin(0.25), 0, std::cos(0.25)});
  // In the first steps the support turns and inertia keeps the tip where it was.
  play(world, 4);
  const Vec3 carried = rotation_exp(Vec3(0, 0.5, 0)) * Vec3(1, 0, 0);
  const double way = -carried.z();
  EXPECT_LT(-(tip_of(world).z() - 0.1), 0.5 * way);
  play(world, 400);
  EXPECT_NEAR(-(tip_of(world).z() - 0.1), way, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Methods, ShakenWorld,
                         ::testing::Values("modal-warping", "linear-modal", "rotation-strain",
                                           "corotational"),
                         [](const auto& chosen) {
                           std::string name = chosen.param;
                           std::erase(name, '-');
                           return name;
                         });

/// All that a scene can ask of one body, so that nothing is translated twice in different ways.
nlohmann::json busy_scene(const std::string& method) {
  nlohmann::json scene = bar_scene(method);
  scene["gravity"] = {{"acceleration", {0, -9.8, 0}}, {"from", 0.1}, {"to", 0.6}};
  nlohmann::json& body = scene["bodies"][0];
  body["position"] = {0.1, 0.2, 0.3};
  body["support"] = {{{"time", 0}, {"position", {0, 0, 0}}},
                     {{"time", 0.5}, {"position", {0.1, 0, 0}}, {"rotation", {0, 0, 0.1, 1}}}};
  body["forces"] = {{{"nodes", "x>=0.999"}, {"force", {0, 0, 2}}, {"from", 0}, {"to", 0.3}}};
  body["constraints"] = {{{"type", "position"},
                          {"node", {1.0, 0.2, 0.2}},
                          {"path",
                           {{{"time", 0}, {"target", {1.0, 0.2, 0.2}}},
                            {{"time", 1}, {"target", {0.95, 0.3, 0.2}}}}}}};
  return scene;
}

class PlayedScene : public testing::TestWithParam<std::string> {};

TEST_P(PlayedScene, HasTheBitsThatSimulateGives) {
  const nlohmann::json document = busy_scene(GetParam());
  WorldSimulation studio("bar", document, "", {});
  SceneWorld simulated(parse_scene(document.dump(), "", "bar"));
  const SceneBody& body = simulated.bodies().front();
  for (int k = 0; k < 45; ++k) {
    studio.step();
    simulated.step();
    ASSERT_EQ(studio.surfaces().front(), body.surface_positions(body.node_positions())) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, PlayedScene,
                         testing::Values("linear-modal", "modal-warping", "rotation-strain",
                                         "corotational", "stiffness-warping", "neo-hookean"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(FreeBodies, AreHitThrownStoppedAndPutBack) {
  for (const char* method : {"modal-warping", "corotational"}) {
    nlohmann::json document = bar_scene(method);
    document["gravity"] = {0, 0, 0};
    document["bodies"][0].erase("fixed");
    document["bodies"][0]["damping"] = {{"mass", 0}, {"stiffness", 0}};
    document["bodies"][0]["position"] = {0, 1, 0};
    WorldSimulation world("bar", document, "", {});
    const auto centre = [&] { return Vec3(world.surfaces().front().colwise().mean()); };
    const Vec3 start = centre();
    const BodyState state = world.bodies().front();
    EXPECT_TRUE(state.free);
    EXPECT_EQ(state.start_position, Vec3(0, 1, 0));
    world.throw_body(0, {0, 3, 0}, Vec3::Zero());
    play(world, 60);
    EXPECT_LT((centre() - start - Vec3(0, 3, 0)).norm(), 1e-6) << method;
    world.throw_body(0, Vec3::Zero(), Vec3::Zero());
    play(world, 60);
    EXPECT_LT((centre() - start - Vec3(0, 3, 0)).norm(), 1e-6) << method;
    world.put(0, state.start_position, state.start_rotation);
    play(world, 10);
    EXPECT_LT((centre() - start).norm(), 1e-6) << method;
    world.hit(0, 0, {0, 0, state.mass});  // 1 m/s of the mass centre, and a spin
    play(world, 60);
    EXPECT_NEAR(centre().z() - start.z(), 1, 0.05) << method;
  }
}

TEST(ClampedBodies, CanBeHitButNotThrown) {
  WorldSimulation world("bar", bar_scene("modal-warping"), "", {});
  EXPECT_FALSE(world.bodies().front().free);
  EXPECT_THROW(world.throw_body(0, {0, 1, 0}, Vec3::Zero()), Error);
  EXPECT_THROW(world.put(0, {0, 1, 0}, {0, 0, 0, 1}), Error);
  EXPECT_THROW(world.hit(0, 1'000'000, {0, 1, 0}), Error);
  const Vec3 before = tip_of(world);
  world.hit(0, 0, {0, 0, 0});
  EXPECT_EQ(tip_of(world), before);
}

TEST(StoppedBodies, StandStillUntilPeopleActOnThem) {
  nlohmann::json scene = bar_scene("stvk");
  scene["bodies"][0]["material"]["young"] = 2e3;  // Green strain gives way under its own weight
  WorldSimulation world("bar", scene, {}, {});
  world.set_gravity({0, -40, 0});
  for (int k = 0; k < 600 && world.faults().empty(); ++k) world.step();
  ASSERT_EQ(world.faults().size(), 1U);
  const Vec3 there = tip_of(world);
  play(world, 200);
  EXPECT_EQ(world.faults().size(), 1U);
  EXPECT_EQ(tip_of(world), there);
  world.set_gravity({0, 0, 0});
  play(world, 60);
  EXPECT_TRUE(world.faults().empty());
  EXPECT_GT((tip_of(world) - there).norm(), 0.01);
}

TEST(World, CountsTheNodesThatTouchTheGround) {
  nlohmann::json scene = bar_scene("corotational");
  scene["ground"] = {{"normal", {0, 1, 0}}, {"offset", -0.05}};
  scene["bodies"][0].erase("fixed");
  WorldSimulation world("bar", scene, {}, {});
  world.set_gravity({0, -9.81, 0});
  world.step();
  EXPECT_EQ(world.contacts(), 0);
  // It falls by 5 cm in 0.1 s and comes to lie on the twelve nodes of its lower side.
  play(world, 240);
  EXPECT_GT(world.contacts(), 3);
  EXPECT_LE(world.contacts(), 12);
}

}  // namespace
}  // namespace limber::studio
