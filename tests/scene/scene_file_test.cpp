// Scene files: defaults, everything a body may say, and errors that name the place.
#include "limber/scene/scene_file.h"

#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "limber/modes/modal_analysis.h"

namespace limber {
namespace {

SceneDescription parse(const std::string& text) { return parse_scene(text, "folder", "test.json"); }

std::string error_of(const std::string& text) {
  try {
    (void)parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string body_with(const std::string& extra) {
  return R"({"limber": 1, "bodies": [{"shape": "bar")" + (extra.empty() ? "" : ", " + extra) +
         "}]}";
}

TEST(SceneFile, LittleIsEnough) {
  const SceneDescription scene = parse(body_with(""));
  EXPECT_EQ(scene.gravity.size(), 1u);
  EXPECT_EQ(scene.gravity[0].acceleration, Vec3(0, -9.81, 0));
  EXPECT_EQ(scene.bodies[0].name, "body0");
  EXPECT_EQ(scene.bodies[0].method, Method::modal_warping);
  EXPECT_EQ(scene.bodies[0].integrator, Integrator::exact);
  EXPECT_EQ(scene.bodies[0].damping.stiffness, 0);
}

TEST(SceneFile, PathsStartAtTheFile) {
  const SceneDescription scene = parse(R"({"limber": 1, "bodies": [{"mesh": "a.msh"}]})");
  EXPECT_EQ(scene.bodies[0].mesh, std::filesystem::path("folder") / "a.msh");
}

TEST(SceneFile, ShapesMayStandInThreePlaces) {
  for (
      const char* text :
      {R"({"limber": 1, "bodies": [{"shape": "bar", "size": [1, 2, 3], "cells": [1, 2, 3]}]})",
       R"({"limber": 1, "bodies": [{"shape": {"shape": "bar", "size": [1, 2, 3], "cells": [1, 2, 3]}}]})",
       R"({"limber": 1, "bodies": [{"mesh": {"shape": "bar", "size": [1, 2, 3], "cells": [1, 2, 3]}}]})"}) {
    const SceneDescription scene = parse(text);
    ASSERT_TRUE(scene.bodies[0].shape.has_value());
    EXPECT_EQ(scene.bodies[0].shape->size, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(scene.bodies[0].shape->cells, (std::vector<int>{1, 2, 3}));
  }
}

TEST(SceneFile, RegionsInheritTheBodysMaterial) {
  const SceneDescription scene = parse(
      body_with(R"("material": {"young": 5, "poisson": 0.1}, "regions": {"2": {"young": 7}})"));
  const Material& material = scene.bodies[0].materials.of(2);
  EXPECT_EQ(material.young, 7);
  EXPECT_EQ(material.poisson, 0.1);
  EXPECT_EQ(scene.bodies[0].materials.of(1).young, 5);
}

TEST(SceneFile, GravityMayHaveWindows) {
  const SceneDescription scene = parse(
      R"({"limber": 1, "gravity": [{"acceleration": [0, -1, 0], "to": 1},
          {"acceleration": [0, 0, 2], "from": 0.5}], "bodies": [{"shape": "bar"}]})");
  ASSERT_EQ(scene.gravity.size(), 2u);
  EXPECT_EQ(scene.gravity[0].to, 1);
  EXPECT_EQ(scene.gravity[1].from, 0.5);
}

TEST(SceneFile, HandlesAreRead) {
  const SceneDescription scene = parse(body_with(
      R"("priority": "orientation", "constraints": [
         {"type": "orientation", "node": [1, 2, 3], "path": [{"time": 0, "target": [0, 0, 4]}],
          "treatment": "newton", "exercised": [4, 5], "interpolation": "linear"},
         {"type": "soft", "node": 3, "path": [{"time": 0, "target": [1, 1, 1]}], "stiffness": 9}])"));
  const BodyDescription& body = scene.bodies[0];
  EXPECT_TRUE(body.orientation_first);
  EXPECT_EQ(body.constraints[0].kind, HandleKind::orientation);
  EXPECT_EQ(body.constraints[0].treatment, Treatment::newton);
  EXPECT_EQ(body.constraints[0].exercised.size(), 2u);
  EXPECT_EQ(body.constraints[1].kind, HandleKind::spring);
  EXPECT_EQ(body.constraints[1].stiffness, 9);
}

TEST(SceneFile, ModesMayBeAutomatic) {
  EXPECT_EQ(parse(body_with(R"("modes": "auto")")).bodies[0].modes, ModalOptions::kAutomatic);
}

TEST(SceneFile, ErrorsNameThePlaceAndTheNearestKey) {
  const std::string unknown = error_of(body_with(R"("damping": {"stifness": 1})"));
  EXPECT_NE(unknown.find("bodies[0].damping"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("\"stiffness\""), std::string::npos) << unknown;
  EXPECT_NE(error_of("{\n\"limber\": 1,\n\"bodies\": [}").find("line 3"), std::string::npos);
  EXPECT_NE(error_of(body_with(R"("modes": 0)")).find("bodies[0].modes"), std::string::npos);
  EXPECT_NE(error_of(R"({"limber": 1, "bodies": [{"shape": "bar", "name": "a"},
                        {"shape": "bar", "name": "a"}]})")
                .find("two things are called \"a\""),
            std::string::npos);
  EXPECT_NE(error_of(R"({"limber": 1, "bodies": [{"name": "nothing"}]})").find("comes from"),
            std::string::npos);
}

}  // namespace
}  // namespace limber
