// Edits on the stage are edits of the scene that `limber simulate` runs.
#include "server/scene_edits.h"

#include <gtest/gtest.h>

#include <set>

#include "limber/core/error.h"
#include "web/edited_scenes.h"

namespace limber::studio {
namespace {

using nlohmann::json;

TEST(SceneEdits, MakeAWorldThatSimulateRunsToTheSameBits) {
  for (const char* method : {"modal-warping", "corotational"}) {
    json document = one_ball();
    document["bodies"][0]["method"] = method;
    std::unique_ptr<Simulation> scene =
        std::make_unique<WorldSimulation>("ball", document, "", Progress{});
    scene = edited(*scene, set_ground(0));
    scene = edited(*scene, duplicate_body(0));
    scene = edited(*scene, add_obstacle("sphere", std::nullopt));
    scene = edited(*scene, place_obstacle(0, {0.02, 0.1, 0}));
    scene = edited(*scene, size_obstacle(0, {0.08}));
    scene = edited(*scene, add_obstacle("box", 2.0));
    const std::vector<BodyState> bodies = scene->bodies();
    ASSERT_EQ(bodies.size(), 2U);
    EXPECT_EQ(bodies[1].name, "ball 2");
    ASSERT_EQ(scene->obstacles().size(), 2U);
    EXPECT_EQ(scene->obstacles()[0].size, std::vector<double>{0.08});
    EXPECT_EQ(scene->ground(), 0.0);
    expect_same_bits(*scene, 50);
    EXPECT_GT(scene->contacts(), 0) << "they have fallen on something";
  }
}

TEST(SceneEdits, KeepTheMotionOfBodiesThatStay) {
  WorldSimulation scene("ball", one_ball(), "", {});
  for (int k = 0; k < 6; ++k) scene.step();
  const Positions before = scene.surfaces().front();
  std::unique_ptr<Simulation> next = edited(scene, duplicate_body(0));
  next->carry_over(scene);
  // Modes are carried over exactly, surfaces to rounding.
  EXPECT_LT((next->surfaces().front() - before).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(next->time(), scene.time());
  next->step();
  scene.step();
  EXPECT_LT((next->surfaces().front() - scene.surfaces().front()).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(SceneEdits, AddBodiesBesideTheOthersAndFree) {
  WorldSimulation scene("ball", one_ball(), "", {});
  json held = one_ball();
  held["bodies"][0]["fixed"] = {"y<=-0.2"};
  Change change;
  change.addition = [&](const Progress&) { return SceneAddition{held.dump(), "", nullptr}; };
  const std::unique_ptr<Simulation> next = scene.rebuild(change)({});
  const std::vector<BodyState> bodies = next->bodies();
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_EQ(bodies[1].name, "ball 2");
  EXPECT_TRUE(bodies[1].free);
  const std::vector<Positions> surfaces = next->surfaces();
  EXPECT_GT(surfaces[1].col(0).minCoeff(), surfaces[0].col(0).maxCoeff());
  held["obstacles"] = {{{"shape", "plane"}}};
  EXPECT_THROW((void)scene.rebuild(change)({}), Error) << "its obstacles would be left out";
}

TEST(SceneEdits, RemoveABodyWithAllThatSpeaksOfIt) {
  json document = one_ball();
  document["bodies"].push_back(ball("other", {1, 0.5, 0}));
  document["bodies"][0]["collides"] = {"other"};
  document["joints"] = {{{"type", "ball"}, {"bodies", {"ball", "other"}}, {"at", {0.5, 0.5, 0}}}};
  WorldSimulation scene("two", document, "", {});
  std::unique_ptr<Simulation> next = edited(scene, remove_body(1));
  ASSERT_EQ(next->bodies().size(), 1U);
  const json saved = json::parse(next->scene_file());
  EXPECT_TRUE(saved["joints"].empty());
  EXPECT_TRUE(saved["bodies"][0]["collides"].empty());
  EXPECT_THROW((void)edited(*next, remove_body(0)), Error) << "the last one stays";
  EXPECT_THROW((void)edited(*next, remove_body(7)), Error);
  EXPECT_THROW((void)edited(*next, place_obstacle(0, Vec3::Zero())), Error);
}

TEST(SceneEdits, FindNamesThatNobodyHas) {
  json scene = one_ball();
  EXPECT_EQ(free_name(scene, "cube"), "cube");
  EXPECT_EQ(free_name(scene, "ball"), "ball 2");
  scene["bodies"].push_back(ball("ball 2", {1, 0, 0}));
  EXPECT_EQ(free_name(scene, "ball 2"), "ball 3");
  EXPECT_EQ(free_name(scene, "ground"), "ground 2");
}

TEST(Versions, BringBackTheSceneToTheBit) {
  WorldSimulation scene("ball", one_ball(), "", {});
  const auto first = scene.version();
  EXPECT_EQ(first, scene.version());
  scene.set_gravity({0, -3, 0});
  scene.set_damping(0, 7, 0.1);
  EXPECT_NE(first, scene.version());
  std::unique_ptr<Simulation> edit = edited(scene, set_ground(std::nullopt));
  Change back;
  back.version = first;
  const std::unique_ptr<Simulation> restored = edit->rebuild(back)({});
  restored->carry_over(*edit);
  EXPECT_EQ(restored->ground(), std::nullopt);
  EXPECT_EQ(restored->gravity(), Vec3(0, -9.81, 0));
  EXPECT_EQ(restored->bodies().front().damping_mass, 1);
  EXPECT_EQ(json::parse(restored->scene_file()),
            json::parse(WorldSimulation("ball", one_ball(), "", {}).scene_file()));
}

TEST(Obstacles, PushBodiesWhileTheyAreInTheHandAndStay) {
  json document = one_ball();
  document["gravity"] = {0, 0, 0};
  document["bodies"][0]["position"] = {0, 0, 0};
  document["obstacles"] = {
      {{"name", "hand"}, {"shape", "sphere"}, {"size", {0.2}}, {"position", {-1, 0, 0}}}};
  WorldSimulation scene("ball", document, "", {});
  const auto centre = [&] { return Vec3(scene.surfaces().front().colwise().mean()); };
  const Vec3 start = centre();
  for (int k = 0; k <= 60; ++k) {
    scene.move_obstacle(0, {-1 + k / 60.0, 0, 0}, k == 60, false);
    scene.step();
  }
  for (int k = 0; k < 60; ++k) scene.step();
  EXPECT_GT(centre().x(), start.x() + 0.2) << "it was pushed away";
  EXPECT_LT((scene.obstacle_places().front().position).norm(), 1e-5);
  const json saved = json::parse(scene.scene_file());
  EXPECT_EQ(saved["obstacles"][0]["position"], json({0.0, 0.0, 0.0}));
  EXPECT_THROW(scene.move_obstacle(1, Vec3::Zero(), true, false), Error);
}

TEST(Obstacles, WithAMassFlyOnWhenTheyAreLetGo) {
  json document = one_ball();
  document["gravity"] = {0, 0, 0};
  document["obstacles"] = {{{"name", "stone"},
                            {"shape", "box"},
                            {"size", {0.1, 0.1, 0.1}},
                            {"position", {3, 0, 0}},
                            {"mass", 1}}};
  WorldSimulation scene("ball", document, "", {});
  const auto x = [&] { return scene.obstacle_places().front().position.x(); };
  for (int k = 0; k <= 30; ++k) {
    scene.move_obstacle(0, {3 + 2 * k / 60.0, 0, 0}, k == 30, false);
    scene.step();
  }
  const double released = x();
  for (int k = 0; k < 60; ++k) scene.step();
  // The hand went at 2 m/s, and nothing holds it back.
  EXPECT_NEAR(x() - released, 2, 0.1);
  EXPECT_EQ(json::parse(scene.scene_file())["obstacles"][0]["position"], json({3, 0, 0}))
      << "the scene begins where it did";
  scene.move_obstacle(0, {1, 1, 1}, true, true);
  EXPECT_LT((scene.obstacle_places().front().position - Vec3(1, 1, 1)).norm(), 1e-12);
}

TEST(Contacts, AreWrittenIntoFramesOnDemand) {
  json document = one_ball();
  document["ground"] = {{"offset", 0.15}};
  WorldSimulation scene("ball", document, "", {});
  for (int k = 0; k < 40; ++k) scene.step();
  ASSERT_GT(scene.contacts(), 0);
  const auto bytes = [&] {
    FrameWriter frame(FrameHeader{});
    scene.write_frame(frame, 0);
    return frame.take();
  };
  const std::size_t without = bytes().size();
  scene.show_contacts(true);
  // A header of 12 bytes and 24 for each contact.
  EXPECT_GE(bytes().size(), without + 12 + 24);
}

}  // namespace
}  // namespace limber::studio
