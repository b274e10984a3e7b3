// The frames of a whole motion: from the first pose to the last and on, inserted and given poses,
// surfaces, bad input.
#include "limber/interpolate/motion/motion_frames.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/mesh/boundary.h"
#include "support/poses.h"

namespace limber {
namespace {

TEST(MotionFrames, RunFromTheFirstPoseToTheLast) {
  const TetMesh mesh = slender_bar();
  MotionFramesOptions options;
  options.fps = 24;
  const std::vector<Positions> frames =
      interpolate(pose_modes(mesh, {10, {}, {}}), {mesh.V, bent(mesh.V, 1)}, {1, 2.5}, options);
  ASSERT_EQ(frames.size(), 37u);
  EXPECT_LT(farthest(frames.front(), mesh.V), 1e-9);
  EXPECT_LT(farthest(frames.back(), bent(mesh.V, 1)), 1e-9);
}

TEST(MotionFrames, GoOnBehindTheLastPose) {
  const TetMesh mesh = slender_bar();
  const auto modes = pose_modes(mesh, {10, {}, {}});
  MotionFramesOptions options;
  options.fps = 10;
  options.after = 0.5;
  options.motion.controls.swing = 0.5;
  const std::vector<Positions> frames =
      interpolate(modes, {mesh.V, bent(mesh.V, 1)}, {0, 1}, options);
  ASSERT_EQ(frames.size(), 16u);
  EXPECT_LT(farthest(frames[10], bent(mesh.V, 1)), 1e-9);
  ShapeInterpolation shape(modes, {{0, mesh.V, {}}, {1, bent(mesh.V, 1), {}}}, options.motion);
  EXPECT_LT(farthest(frames.back(), shape.evaluate(1.5)), 1e-12);
  EXPECT_GT(farthest(frames.back(), bent(mesh.V, 1)), 1e-3);
}

TEST(MotionFrames, RestAtTheLastPoseWhereNothingSwings) {
  const TetMesh mesh = slender_bar();
  MotionFramesOptions options;
  options.fps = 4;
  options.after = 0.5;
  const std::vector<Positions> frames =
      interpolate(pose_modes(mesh, {10, {}, {}}), {mesh.V, bent(mesh.V, 1)}, {0, 1}, options);
  EXPECT_LT(farthest(frames.back(), bent(mesh.V, 1)), 1e-9);
}

TEST(MotionFrames, PassInsertedPosesAndKeepGivenOnes) {
  const TetMesh mesh = slender_bar();
  const auto modes = pose_modes(mesh, {10, {}, {}});
  const Positions half = bent(mesh.V, 0.7);
  MotionFramesOptions options;
  options.fps = 10;
  options.inserted = {{0.3, half}};
  const Positions& last = bent(mesh.V, 2);
  EXPECT_LT(farthest(interpolate(modes, {mesh.V, last}, {0, 1}, options)[3], half), 1e-9);
  options.inserted.clear();
  options.gamma = 0;
  EXPECT_LT(farthest(interpolate(modes, {mesh.V, half, last}, {0, 0.3, 1}, options)[3], half),
            1e-9);
}

TEST(MotionFrames, OfASurfaceMeetItsPosesWithTheirDetails) {
  const TetMesh mesh = slender_bar();
  const auto modes = pose_modes(mesh, {10, {}, {}});
  CarriedSurface carried{mesh, boundary_surface(bar({1, 0.12, 0.12}, {24, 3, 3})).surface, 30};
  const Positions& rest = carried.surface.V;
  Positions dented = bent(rest, 1.5);
  dented(7, 2) += 0.01;  // finer than the tets
  MotionFramesOptions options;
  options.fps = 10;
  options.inserted = {{0.5, bent(rest, 0.5)}};
  const std::vector<Positions> frames =
      interpolate(modes, carried, {rest, dented}, {0, 1}, options);
  EXPECT_LT(farthest(frames.front(), rest), 1e-9);
  EXPECT_LT(farthest(frames[5], bent(rest, 0.5)), 1e-9);
  EXPECT_LT(farthest(frames.back(), dented), 1e-9);
  options.velocities.resize(2);
  EXPECT_THROW((void)interpolate(modes, carried, {rest, dented}, {0, 1}, options), Error);
}

TEST(MotionFrames, RefuseBadInputInOneLine) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {3, 1, 1});
  const auto modes = pose_modes(mesh, {5, {}, {}});
  MotionFramesOptions options;
  const Positions pose = mesh.V;
  const auto refused = [&](const std::vector<Positions>& poses, const std::vector<double>& times,
                           const std::string& words) {
    try {
      (void)interpolate(modes, poses, times, options);
      ADD_FAILURE() << "accepted: " << words;
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(words), std::string::npos) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos);
    }
  };
  refused({pose}, {0}, "at least two");
  refused({pose, pose}, {0}, "1 times for 2 poses");
  refused({pose, pose}, {0, 0}, "not later");
  refused({pose, pose}, {1, 0}, "not later");
  refused({pose, pose}, {0, std::nan("")}, "not finite");
  refused({pose, pose.topRows(3)}, {0, 1}, "3 nodes where the rest shape has");
  Positions bad = pose;
  bad(1, 1) = std::numeric_limits<double>::infinity();
  refused({pose, bad}, {0, 1}, "node 1");
  options.fps = 0;
  refused({pose, pose}, {0, 1}, "frames a second");
  options.fps = 1e9;
  refused({pose, pose}, {0, 1}, "frames");
  options = {};
  options.after = -1;
  refused({pose, pose}, {0, 1}, "behind the last pose");
  options = {};
  options.velocities = {std::nullopt};
  refused({pose, pose}, {0, 1}, "1 velocities for 2 poses");
  options = {};
  options.motion.seed = 1000;
  refused({pose, pose}, {0, 1}, "seed 1000");
  options.motion.seed = -1;
  options.motion.positions = {{999, {}}};
  refused({pose, pose}, {0, 1}, "node 999");
  options.motion.positions.clear();
  options.motion.orientations = {{0, {}, 0.5}};
  refused({pose, pose}, {0, 1}, "stiffness 0.5");
}

}  // namespace
}  // namespace limber
