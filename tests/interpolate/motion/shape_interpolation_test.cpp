// The whole motion: keys met, volume kept, constraints, corrections, given motions, bad input.
#include "limber/interpolate/motion/shape_interpolation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/select.h"
#include "support/allocation_counter.h"
#include "support/poses.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

Positions twisted(const Positions& positions, double angle) {
  Twist options;
  options.angle = angle;
  options.origin = {0, 0.06, 0.06};
  return twist(positions, options);
}

std::vector<KeyPose> keys_of(const std::vector<Positions>& poses, double step = 1) {
  std::vector<KeyPose> keys;
  for (const Positions& pose : poses) {
    keys.push_back({step * static_cast<double>(keys.size()), pose, {}});
  }
  return keys;
}

std::vector<Positions> three_poses(const TetMesh& mesh) {
  return {moved(mesh.V, {0.2, 0, 0}, {0, 0, 0}),
          moved(bent(twisted(mesh.V, 1.5), 2.5), {0, 1, 2}, {1, 2, 3}),
          moved(bent(mesh.V, -1.5), {0, 3, 1}, {2, 0, 0})};
}

TEST(ShapeInterpolation, MeetsEveryKeyWithAnyNumberOfModes) {
  const TetMesh mesh = slender_bar();
  const std::vector<Positions> poses = three_poses(mesh);
  for (const int modes : {1, 10, 60}) {
    const auto basis = pose_modes(mesh, {modes, {}, {}});
    for (const std::size_t count : {2, 3}) {
      for (const Residuals residuals : {Residuals::coordinates, Residuals::positions}) {
        InterpolationOptions options;
        options.residuals = residuals;
        const std::vector<KeyPose> keys =
            keys_of({poses.begin(), poses.begin() + static_cast<std::ptrdiff_t>(count)});
        ShapeInterpolation motion(basis, keys, options);
        for (const KeyPose& key : keys) {
          EXPECT_LT(farthest(motion.evaluate(key.time), key.pose), 1e-9)
              << modes << " modes, " << count << " keys";
        }
      }
    }
  }
}

TEST(ShapeInterpolation, MeetsKeysOfAClampedBodyAndHoldsTheClamp) {
  const TetMesh mesh = slender_bar();
  const std::vector<int> fixed = select_nodes(mesh, "x<=0");
  InterpolationOptions options;
  for (const int node : fixed) options.positions.push_back({node, {}});
  const std::vector<KeyPose> keys = keys_of({mesh.V, bent(mesh.V, 3)});
  ShapeInterpolation motion(pose_modes(mesh, {30, {}, fixed}), keys, options);
  for (const KeyPose& key : keys) EXPECT_LT(farthest(motion.evaluate(key.time), key.pose), 1e-9);
  for (const double t : {0.2, 0.5, 0.8}) {
    const Positions frame = motion.evaluate(t);
    for (const int node : fixed) EXPECT_LT((frame.row(node) - mesh.V.row(node)).norm(), 1e-14);
  }
}

TEST(ShapeInterpolation, FrameKernelAndReconstructionOfTheCoordinatesAgree) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {7, 2, 2});  // 168 tets; and 5 more lanes unused
  const auto basis = pose_modes(mesh, {20, {}, {}});
  ShapeInterpolation motion(basis, keys_of({mesh.V, bent(twisted(mesh.V, 1), 2)}));
  for (const double t : {0.0, 0.3, 0.77}) {
    const Positions frame = motion.evaluate(t);
    const Positions again = reconstruct(basis->elements(), motion.coordinates_at(t));
    // Up to the turning frame and the place: compare distances between nodes.
    for (int node = 1; node < mesh.node_count(); ++node) {
      EXPECT_NEAR((frame.row(node) - frame.row(0)).norm(), (again.row(node) - again.row(0)).norm(),
                  1e-10);
    }
  }
}

TEST(ShapeInterpolation, KeepsTheVolumeOfAHalfTurnBendAllAlong) {
  const TetMesh mesh = slender_bar();
  const Positions pose = bent(mesh.V, kPi);
  const double rest = volume(mesh.V, mesh.T);
  MotionControls direct;
  direct.frequency = -1.0;
  direct.damping_ratio = -1.0;
  MotionControls lively;
  lively.damping_ratio = -0.6;
  for (const MotionControls& controls : {direct, lively}) {
    for (const int modes : {5, 60}) {
      InterpolationOptions options;
      options.controls = controls;
      ShapeInterpolation motion(pose_modes(mesh, {modes, {}, {}}), keys_of({mesh.V, pose}),
                                options);
      for (int k = 0; k <= 20; ++k) {
        EXPECT_NEAR(volume(motion.evaluate(k / 20.0), mesh.T), rest, 0.05 * rest) << k;
      }
    }
  }
  // ∫ cos²(θ/2) over half a turn is a half: blending positions loses that much.
  EXPECT_LT(volume(0.5 * (mesh.V + pose), mesh.T), 0.53 * rest);
}

TEST(ShapeInterpolation, DoesNotDependOnHowThePosesAreTurned) {
  const TetMesh mesh = slender_bar();
  const auto basis = pose_modes(mesh, {20, {}, {}});
  const std::vector<Positions> poses = three_poses(mesh);
  const Vec3 w(1, 2, -1.4);
  const Vec3 shift(5, -2, 1);
  ShapeInterpolation motion(basis, keys_of(poses));
  std::vector<Positions> turned;
  for (const Positions& pose : poses) turned.push_back(moved(pose, w, shift));
  ShapeInterpolation other(basis, keys_of(turned));
  for (const double t : {0.4, 1.0, 1.7}) {
    EXPECT_LT(farthest(moved(motion.evaluate(t), w, shift), other.evaluate(t)), 1e-9);
  }
}

TEST(ShapeInterpolation, FollowsASomersaultOfTwoTurns) {
  const TetMesh mesh = slender_bar();
  const Positions curled = bent(mesh.V, 1.2);
  std::vector<Positions> poses;
  for (int k = 0; k <= 6; ++k) poses.push_back(moved(curled, {0, 0, k * 2 * kPi / 3}, {0, 0, 0}));
  ShapeInterpolation motion(pose_modes(mesh, {20, {}, {}}), keys_of(poses));
  double angle = 0;
  const Elements elements = elements_of(mesh);
  Mat3 last = mean_rotation_of(elements, motion.evaluate(0));
  for (int k = 1; k <= 60; ++k) {
    const Mat3 now = mean_rotation_of(elements, motion.evaluate(0.1 * k));
    const Vec3 step = rotation_log(now * last.transpose());
    EXPECT_GT(step.z(), 0);
    angle += step.z();
    last = now;
  }
  // The swinging body also tilts a little to and fro, which takes from the steps about z.
  EXPECT_NEAR(angle, 4 * kPi, 1e-4);
}

TEST(ShapeInterpolation, InsertedKeysAreMetAndLeaveTheRestAlone) {
  const TetMesh mesh = slender_bar();
  const auto basis = pose_modes(mesh, {15, {}, {}});
  for (const Residuals residuals : {Residuals::coordinates, Residuals::positions}) {
    InterpolationOptions options;
    options.residuals = residuals;
    options.positions = {{0, {}}};
    ShapeInterpolation motion(basis, keys_of({mesh.V, bent(mesh.V, 2)}), options);
    const Positions at_half = motion.evaluate(0.5);
    const Positions early = motion.evaluate(0.2);
    const Positions first = moved(twisted(at_half, 0.8), {0.1, 0.2, 0}, {0.1, 0, 0.3});
    motion.insert_key(0.5, first);
    EXPECT_LT(farthest(motion.evaluate(0.5), first), 1e-9);
    EXPECT_GT(farthest(motion.evaluate(0.2), early), 1e-4);
    const Positions second = twisted(motion.evaluate(0.75), -0.5);
    motion.insert_key(0.75, second);
    const Positions third = bent(motion.evaluate(0.3), 0.3);
    motion.insert_key(0.3, third);
    EXPECT_LT(farthest(motion.evaluate(0.5), first), 1e-9);
    EXPECT_LT(farthest(motion.evaluate(0.75), second), 1e-9);
    EXPECT_LT(farthest(motion.evaluate(0.3), third), 1e-9);
    EXPECT_LT(farthest(motion.evaluate(0), mesh.V), 1e-9);
    EXPECT_LT(farthest(motion.evaluate(1), bent(mesh.V, 2)), 1e-9);
    EXPECT_THROW(motion.insert_key(0.5, first), Error);
    EXPECT_THROW(motion.insert_key(1.5, first), Error);
    EXPECT_THROW(motion.insert_key(0, first), Error);
    EXPECT_THROW(motion.insert_key(0.6, first.topRows(4)), Error);
    motion.remove_inserted_keys();
    EXPECT_LT(farthest(motion.evaluate(0.5), at_half), 1e-12);
  }
}

TEST(ShapeInterpolation, BarycentresFollowTheChosenPath) {
  const TetMesh mesh = slender_bar();
  const auto basis = pose_modes(mesh, {5, {}, {}});
  const Elements& elements = *basis->elements();
  const std::vector<KeyPose> keys =
      keys_of({mesh.V, moved(mesh.V, {0, 0, 0}, {2, 0, 0}), moved(mesh.V, {0, 0, 1}, {2, 4, 0})});
  const auto centre = [&](const BarycentreOptions& barycentre, double t) {
    InterpolationOptions options;
    options.barycentre = barycentre;
    return Vec3(barycentres(elements, ShapeInterpolation(basis, keys, options).evaluate(t))
                    .row(0)
                    .transpose());
  };
  const auto key = [&](int k) { return Vec3(barycentres(elements, keys[k].pose).row(0)); };
  EXPECT_LT(
      (centre({BarycentrePath::linear, {}, {}}, 0.25) - (0.75 * key(0) + 0.25 * key(1))).norm(),
      1e-12);
  // s(s−T)/2 g with s = 0.25, T = 1.
  const Vec3 g(0, -10, 0);
  EXPECT_LT((centre({BarycentrePath::ballistic, g, {}}, 1.25) -
             (0.75 * key(1) + 0.25 * key(2) - 0.5 * 0.25 * 0.75 * g))
                .norm(),
            1e-12);
  const Path path({0, 2}, {Vec3(0, 0, 0), Vec3(0, 0, 8)});
  EXPECT_LT((centre({BarycentrePath::given, {}, path}, 1.5) - Vec3(0, 0, 6)).norm(), 1e-12);
  for (int k = 0; k < 3; ++k) {
    EXPECT_LT((centre({BarycentrePath::smooth, {}, {}}, k) - key(k)).norm(), 1e-12);
  }
  EXPECT_THROW((void)centre({BarycentrePath::given, {}, {}}, 0), Error);
}

TEST(ShapeInterpolation, HeldNodesFollowTheirPaths) {
  const TetMesh mesh = slender_bar();
  const auto basis = pose_modes(mesh, {20, {}, {}});
  InterpolationOptions options;
  const int end = nearest_node(mesh, {1, 0, 0});
  options.positions = {{0, {}}, {end, Path({0, 1}, {Vec3(1, 0, 0), Vec3(1, 1, 0)})}};
  ShapeInterpolation motion(basis, keys_of({mesh.V, bent(mesh.V, 2)}), options);
  for (const double t : {0.0, 0.35, 1.0}) {
    const Positions frame = motion.evaluate(t);
    EXPECT_LT((frame.row(end) - Eigen::RowVector3d(1, t, 0)).norm(), 1e-12);
    const Eigen::RowVector3d expected = (1 - t) * mesh.V.row(0) + t * bent(mesh.V, 2).row(0);
    EXPECT_LT((frame.row(0) - expected).norm(), 1e-12);
  }
}

TEST(ShapeInterpolation, ConstrainedRegionsTurnAsTold) {
  const TetMesh mesh = slender_bar();
  const auto basis = pose_modes(mesh, {20, {}, {}});
  const Elements& elements = *basis->elements();
  const int node = nearest_node(mesh, {1, 0.06, 0.06});
  const std::vector<KeyPose> keys = keys_of({mesh.V, bent(mesh.V, 2)});
  const auto mean_near_end = [&](const Positions& pose) {
    Mat3 sum = Mat3::Zero();
    for (int tet = 0; tet < mesh.tet_count(); ++tet) {
      for (int k = 0; k < 4; ++k) {
        if (mesh.T(tet, k) != node) continue;
        sum += elements.weights[tet] * polar_rotation(elements.deformation_gradient(pose, tet));
      }
    }
    return polar_rotation(sum);
  };
  InterpolationOptions options;
  options.orientations = {{node, {}, 1000}};
  ShapeInterpolation following(basis, keys, options);
  for (const KeyPose& key : keys) EXPECT_LT(farthest(following.evaluate(key.time), key.pose), 1e-9);

  const Path path({0, 1}, {Vec3(0, 0, 0), Vec3(0, -1.5, 0)});
  options.orientations = {{node, path, 1e4}};
  ShapeInterpolation turning(basis, keys, options);
  for (const double t : {0.3, 0.7, 1.0}) {
    const Mat3 target = rotation_exp(path.at(t).value);
    // The rest of the body weighs 1e-4 against these elements.
    EXPECT_LT(rotation_log(target.transpose() * mean_near_end(turning.evaluate(t))).norm(), 1e-2);
  }
}

TEST(ShapeInterpolation, AddsVibrationsToAGivenMotion) {
  const TetMesh mesh = slender_bar();
  const auto basis = pose_modes(mesh, {20, {}, {}});
  QuasiStatic given;
  for (int k = 0; k <= 8; ++k) {
    given.times.push_back(k / 8.0);
    given.poses.push_back(moved(bent(mesh.V, 0.3 * k), {0, 0.2 * k, 0}, {0.1 * k, 0, 0}));
  }
  const std::vector<KeyPose> keys{{0, given.poses.front(), {}}, {1, given.poses.back(), {}}};
  const auto at = [&](double gamma, double t) {
    InterpolationOptions options;
    given.gamma = gamma;
    options.quasi_static = given;
    return ShapeInterpolation(basis, keys, options).evaluate(t);
  };
  for (int k = 0; k <= 8; ++k) {
    EXPECT_LT(farthest(at(0, given.times[k]), given.poses[k]), 1e-9);
  }
  EXPECT_LT(farthest(at(0.7, 0), given.poses.front()), 1e-9);
  EXPECT_LT(farthest(at(0.7, 1), given.poses.back()), 1e-9);
  const double little = farthest(at(0.1, 0.5), given.poses[4]);
  const double more = farthest(at(0.4, 0.5), given.poses[4]);
  EXPECT_GT(little, 1e-6);
  EXPECT_GT(more, 2 * little);
}

TEST(ShapeInterpolation, NewControlsGiveTheSameAsANewMotion) {
  const TetMesh mesh = slender_bar();
  const auto basis = pose_modes(mesh, {20, {}, {}});
  const std::vector<KeyPose> keys = keys_of({mesh.V, bent(mesh.V, 2)});
  MotionControls controls;
  controls.frequency = ModeCurve::spline({{0, 0.5}, {10, -0.5}});
  controls.damping_ratio = -0.8;
  ShapeInterpolation changed(basis, keys);
  const Positions before = changed.evaluate(0.4);
  changed.set_controls(controls);
  InterpolationOptions options;
  options.controls = controls;
  ShapeInterpolation fresh(basis, keys, options);
  EXPECT_EQ(changed.evaluate(0.4), fresh.evaluate(0.4));
  EXPECT_GT(farthest(changed.evaluate(0.4), before), 1e-4);
}

TEST(ShapeInterpolation, PassesAKeyWithTheVelocityGiven) {
  const TetMesh mesh = slender_bar();
  const auto basis = pose_modes(mesh, {60, {}, {}});
  // A velocity that the modes can show: that of bending on.
  const double h = 1e-5;
  std::vector<KeyPose> keys = keys_of({mesh.V, bent(mesh.V, 0.5), bent(mesh.V, 1.2)});
  for (const double speed : {0.0, 1.0}) {
    const Positions velocity = speed * (bent(mesh.V, 0.5 + h) - bent(mesh.V, 0.5 - h)) / (2 * h);
    keys[1].velocity = velocity;
    ShapeInterpolation motion(basis, keys);
    const RotationStrain before = motion.coordinates_at(1 - 1e-4);
    const RotationStrain behind = motion.coordinates_at(1 + 1e-4);
    const ModalPose a = basis->project(before);
    const ModalPose b = basis->project(behind);
    // Modal velocity at the key by differences of the motion, against that of bending.
    const RotationStrain low = rotation_strain(mesh, bent(mesh.V, 0.5 - h));
    const RotationStrain high = rotation_strain(mesh, bent(mesh.V, 0.5 + h));
    const Vector expected = speed * (basis->project(high).z - basis->project(low).z) / (2 * h);
    const Vector actual = (b.z - a.z) / 2e-4;
    EXPECT_LT((actual - expected).norm(), 0.02 * (1 + expected.norm()));
  }
}

TEST(ShapeInterpolation, FramesAllocateNothing) {
  const TetMesh mesh = slender_bar();
  const auto basis = pose_modes(mesh, {20, {}, {}});
  for (const std::size_t count : {2, 3}) {
    std::vector<Positions> poses = three_poses(mesh);
    poses.resize(count);
    InterpolationOptions options;
    options.positions = {{0, {}}};
    options.orientations = {{9, {}, 100}};
    ShapeInterpolation motion(basis, keys_of(poses), options);
    motion.insert_key(0.5, motion.evaluate(0.5));
    Positions frame;
    motion.evaluate(0.1, frame);
    const long before = test::allocations;
    for (int k = 0; k <= 10; ++k) motion.evaluate(0.1 * k, frame);
    EXPECT_EQ(test::allocations - before, 0);
  }
}

TEST(ShapeInterpolation, InvertedTetsInAPoseAreCountedAndMet) {
  const TetMesh mesh = slender_bar();
  Positions pose = bent(mesh.V, 1);
  const int middle = nearest_node(mesh, {0.5, 0.06, 0.06});
  pose.row(middle) += Eigen::RowVector3d(0.3, 0.1, 0);  // through its neighbours
  ShapeInterpolation motion(pose_modes(mesh, {20, {}, {}}), keys_of({mesh.V, pose}));
  EXPECT_GT(motion.notes()[1].inverted, 0);
  EXPECT_EQ(motion.notes()[0].inverted, 0);
  EXPECT_LT(farthest(motion.evaluate(1), pose), 1e-9);
  for (int k = 0; k <= 20; ++k) {
    const Positions frame = motion.evaluate(k / 20.0);
    ASSERT_TRUE(frame.allFinite());
    EXPECT_LT(farthest(frame, mesh.V), 3);
  }
}

}  // namespace
}  // namespace limber
