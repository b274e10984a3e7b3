#include "limber/render/stage.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "limber/core/error.h"
#include "limber/render/show.h"

namespace limber {
namespace {

SceneDescription bar_scene(const std::string& more = "") {
  return parse_scene(R"({"limber": 1, "gravity": [0, -5, 0], "time_step": 0.01, "duration": 0.2,
    "bodies": [{"name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [5, 1, 1],
                "material": {"young": 2e5, "poisson": 0.3, "density": 1000},
                "fixed": ["x<=0.001"], "modes": 6)" +
                         more + "}]}",
                     ".", "bar");
}

TEST(Stage, UpIsAgainstGravity) {
  SceneDescription scene;
  scene.gravity = {{Vec3(0, 0, -9.81)}};
  EXPECT_EQ(up_of(scene), Vec3::UnitZ());
  scene.gravity = {{Vec3(0, 3, 0)}};
  EXPECT_EQ(up_of(scene), Vec3(0, -1, 0));
  scene.gravity.clear();
  EXPECT_EQ(up_of(scene), Vec3::UnitY());
}

TEST(Stage, ExtentHoldsTheOutermostPointsAndTheGroundLiesBelow) {
  MotionExtent extent;
  Positions sphere(200, 3);
  for (int k = 0; k < 200; ++k) {
    const double z = 1 - (2.0 * k + 1) / 200, r = std::sqrt(1 - z * z);
    sphere.row(k) << r * std::cos(2.4 * k), z, r * std::sin(2.4 * k);
  }
  extent.add(sphere);
  extent.add(sphere * 0.5);  // inside: changes nothing
  const Floor ground = extent.floor_below(Vec3::UnitY());
  EXPECT_LT(ground.height, -0.99);
  EXPECT_GT(ground.height, -1.2);
  EXPECT_NEAR((extent.points().rowwise().norm().array() - 1).abs().maxCoeff(), 0, 1e-12);
}

TEST(Stage, TheGroundOfASceneIsTheFloorOfItsPictures) {
  SceneDescription scene;
  MotionExtent extent;
  extent.add(Positions::Constant(1, 3, 2.0));
  EXPECT_NEAR(floor_of(scene, extent).height, 2, 0.2);
  scene.ground = GroundDescription{Vec3(0, 2, 0), 1, {}};  // 2 y ≥ 1
  EXPECT_NEAR(floor_of(scene, extent).height, 0.5, 1e-15);
}

TEST(Stage, LongBodiesAreSeenFromTheSideHoweverTheyLie) {
  for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(-1, 0, 0)}) {
    const Vec3 level = up.unitOrthogonal();
    for (int k = 0; k < 24; ++k) {
      const Vec3 along = Eigen::AngleAxisd(0.3 * k, up) * level;
      const Vec3 across = up.cross(along);
      Positions corners(8, 3);
      for (int c = 0; c < 8; ++c) {
        corners.row(c) = (c & 1) * 3.0 * along + (c >> 1 & 1) * 1.0 * across + (c >> 2) * 0.8 * up;
      }
      MotionExtent extent;
      extent.add(corners);
      const Mat3 frame = view_frame(extent.natural_view(up));
      // Turned by half a radian from the broad side, found to the nearest three degrees.
      EXPECT_GE(std::abs(frame.col(0).dot(along)), std::cos(0.5 + 0.06)) << k;
      EXPECT_LE(std::abs(frame.col(0).dot(along)), std::cos(0.5 - 0.06)) << k;
      EXPECT_GT(frame.col(2).dot(up), 0);
    }
  }
}

TEST(Stage, BodiesAlongAxesAreSeenAsEver) {
  for (const auto& [size, azimuth] : {std::pair{Vec3(3, 1, 1), 0.5},
                                      {Vec3(1, 1, 3), std::numbers::pi / 2 - 0.5},
                                      {Vec3(1, 5, 1.1), 0.5},
                                      {Vec3(1, 1, 0), 0.5}}) {
    Positions corners(8, 3);
    for (int c = 0; c < 8; ++c) corners.row(c) << (c & 1), (c >> 1 & 1), (c >> 2);
    MotionExtent extent;
    extent.add(corners * size.asDiagonal());
    EXPECT_NEAR(extent.natural_view(Vec3::UnitY()).azimuth, azimuth, 1e-12);
  }
}

TEST(Stage, MotionThatIsNotFiniteIsRefused) {
  MotionExtent extent;
  Positions points = Positions::Zero(2, 3);
  points(1, 1) = NAN;
  EXPECT_THROW(extent.add(points), Error);
}

TEST(Stage, UniformGrowthIsTheSameChangeOfVolumeEverywhere) {
  const SceneWorld world(bar_scene());
  const SceneBody& body = world.bodies().front();
  const Vector change = node_values(body, 1.1 * body.mesh().V, Paint::volume);
  // 1.1³ − 1; sums of a few tets round at 1e-15.
  EXPECT_NEAR((change.array() - 0.331).abs().maxCoeff(), 0, 1e-12);
}

TEST(Stage, DisplacementIsMeasuredFromTheMovedSupport) {
  SceneWorld world(bar_scene(R"(, "support": [{"time": 0, "position": [0, 0, 0]},
                                         {"time": 1, "position": [3, 0, 0]}])"));
  const SceneBody& body = world.bodies().front();
  for (int k = 0; k < 10; ++k) world.step();
  const Positions carried = body.mesh().V.rowwise() + body.dynamics().frame().position.transpose();
  EXPECT_GT(body.dynamics().frame().position.x(), 0.01);
  EXPECT_NEAR(node_values(body, carried, Paint::displacement).maxCoeff(), 0, 1e-12);
}

TEST(Show, MethodsPlayTheSameSceneInTheirColours) {
  Show show(bar_scene(), {"linear-modal", "modal-warping"}, Paint::plain, {});
  const Moment moment = show.moment_at(0.1, 0.2, {});
  EXPECT_NEAR(moment.time, 0.1, 1e-12);
  ASSERT_EQ(moment.casts.size(), 2u);
  const std::vector<Shape> shapes = show.shapes(moment, {});
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].colour.red, method_colour("linear-modal").red);
  EXPECT_EQ(shapes[1].colour.blue, method_colour("modal-warping").blue);
  ASSERT_EQ(show.legend().size(), 2u);
  EXPECT_EQ(show.legend()[1].label, "modal-warping");
  // Linear modes move on straight lines, warped ones on arcs: they differ in x by now.
  const auto tip_x = [&](int cast) { return moment.casts[cast][0].surface.col(0).maxCoeff(); };
  EXPECT_GT(tip_x(0), tip_x(1));
}

TEST(Show, PaintedBodiesAreNotInTheLegend) {
  const auto body = [](const std::string& name, const std::string& shape) {
    return R"({"name": ")" + name + R"(", "shape": ")" + shape + R"(", "cells": )" +
           (shape == "bar" ? "[5, 1, 1]" : "[8]") + R"(, "modes": 3})";
  };
  const SceneDescription scene =
      parse_scene(R"({"limber": 1, "duration": 0.1, "bodies": [)" + body("a", "bar") + ", " +
                      body("b", "bar") + ", " + body("hat", "hat") + "]}",
                  ".", "painted");
  const Show show(scene, {}, Paint::plain, {});
  ASSERT_EQ(show.legend().size(), 2u);
  EXPECT_EQ(show.legend()[0].label, "a");
  EXPECT_EQ(show.legend()[1].label, "b");
}

TEST(Show, FramesOfAFilmCoverTheScene) {
  Show show(bar_scene(), {}, Paint::displacement, {});
  const std::vector<Moment> frames = show.all_frames({});
  ASSERT_EQ(frames.size(), 21u);
  EXPECT_NEAR(frames.back().time, 0.2, 1e-12);
  EXPECT_GT(largest_value(frames), 0.01);
  EXPECT_TRUE(show.legend().empty());
}

}  // namespace
}  // namespace limber
