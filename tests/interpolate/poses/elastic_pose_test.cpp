// Poses by dragging and from posed surfaces.
#include "limber/interpolate/poses/elastic_pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/motion/surface_interpolation.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/select.h"
#include "support/poses.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

/// A finer surface inside the bar: a grid on a box a little smaller or larger, bound to the tets of
/// the cell that each vertex is nearest to.
struct BoundSurface {
  TriMesh surface;
  SurfaceBinding binding;
};
BoundSurface bound_to(const TetMesh& mesh, const TriMesh& surface) {
  return {surface, binding_of(embed(mesh, surface))};
}

TEST(SurfaceBinding, GivesVerticesBackInsideAndALittleOutside) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {6, 2, 2});
  TriMesh skin = boundary_surface(mesh).surface;
  const Eigen::RowVector3d middle = skin.V.colwise().mean();
  for (const double scale : {0.9, 1.02}) {
    TriMesh scaled = skin;
    scaled.V = (scale * (skin.V.rowwise() - middle)).rowwise() + middle;
    EXPECT_LT(farthest(bound_positions(binding_of(embed(mesh, scaled)), mesh.V), scaled.V), 1e-12);
  }
}

TEST(Drag, ARigidMoveOfEnoughHandlesMovesTheBodyRigidly) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {6, 2, 2});
  const Mat3 R = rotation_exp({0.5, 1, -2});
  std::vector<DragHandle> handles;
  for (const int node : {0, 10, 30, 50}) {
    handles.push_back({node, R * mesh.V.row(node).transpose() + Vec3(1, 2, 3)});
  }
  ElasticPoseOptions options;
  options.tolerance = 1e-10;
  options.most_iterations = 3000;
  const ElasticPoseResult result = drag(shared_elements(mesh), mesh.V, handles, {}, options);
  EXPECT_TRUE(result.converged);
  Positions expected = mesh.V * R.transpose();
  expected.rowwise() += Eigen::RowVector3d(1, 2, 3);
  // Steps of 1e-10 and a slow linear rate leave some hundred times that.
  EXPECT_LT(farthest(result.positions, expected), 1e-6);
  EXPECT_LT(result.energy, 1e-12);
}

TEST(Drag, HandlesStandAtTheirTargetsAndFixedNodesStay) {
  const TetMesh mesh = bar({1, 0.1, 0.1}, {15, 2, 2});
  const std::vector<int> fixed = select_nodes(mesh, "x<=0");
  const int tip = nearest_node(mesh, {1, 0.05, 0.05});
  const ElasticPoseResult result =
      drag(shared_elements(mesh), mesh.V, {{tip, {0.5, 0.7, 0}}}, fixed);
  EXPECT_TRUE(result.converged) << result.iterations << ' ' << result.last_step;
  EXPECT_LT((result.positions.row(tip).transpose() - Vec3(0.5, 0.7, 0)).norm(), 1e-12);
  for (const int node : fixed) EXPECT_EQ(result.positions.row(node), mesh.V.row(node));
  // No smaller energy nearby: it is a minimum, at least along smooth changes.
  const Elements elements = elements_of(mesh);
  const auto energy = [&](const Positions& x) {
    double sum = 0;
    for (int tet = 0; tet < mesh.tet_count(); ++tet) {
      const Mat3 F = elements.deformation_gradient(x, tet);
      sum += elements.weights[tet] * (F - polar_rotation(F)).squaredNorm();
    }
    return sum;
  };
  EXPECT_NEAR(energy(result.positions), result.energy, 1e-12);
  for (int k = 0; k < 6; ++k) {
    Positions other = result.positions;
    for (int node = 0; node < mesh.node_count(); ++node) {
      const double x = mesh.V(node, 0);
      const bool tied = x == 0 || node == tip;
      if (!tied) other(node, k % 3) += (k < 3 ? 1e-3 : -1e-3) * std::sin(kPi * x);
    }
    EXPECT_GT(energy(other), result.energy);
  }
}

TEST(Drag, RefusesWhatItCannotDo) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {3, 1, 1});
  const auto elements = shared_elements(mesh);
  EXPECT_THROW((void)drag(elements, mesh.V, {}, {0}), Error);
  EXPECT_THROW((void)drag(elements, mesh.V, {{99, {0, 0, 0}}}), Error);
  EXPECT_THROW((void)drag(elements, mesh.V, {{0, {0, 0, 0}}}, {0}), Error);
  EXPECT_THROW((void)drag(elements, mesh.V, {{0, {std::nan(""), 0, 0}}}), Error);
}

TEST(SurfacePoser, FindsTheTetsOfLargePosesFromTheirBoundary) {
  const TetMesh mesh = bar({1, 0.1, 0.1}, {20, 2, 2});
  const Boundary boundary = boundary_surface(mesh);
  std::vector<std::int32_t> nodes;
  std::vector<double> weights;
  for (const int node : boundary.nodes) {
    for (int k = 0; k < 4; ++k) {
      nodes.push_back(node);
      weights.push_back(k == 0 ? 1 : 0);
    }
  }
  SurfacePoser poser(shared_elements(mesh), boundary.surface,
                     {SharedArray<std::int32_t>(nodes), SharedArray<double>(weights)});
  Bend bending;
  bending.origin = {0, 0.05, 0.05};
  Twist twisting;
  twisting.origin = {0, 0.05, 0.05};
  for (const auto& [bend_angle, twist_angle] :
       {std::pair{0.0, 0.0}, {1.0, 0.5}, {kPi, 0.0}, {1.5 * kPi, kPi}}) {
    bending.angle = bend_angle;
    twisting.angle = twist_angle;
    const Positions pose = bend(twist(mesh.V, twisting), bending);
    Positions posed_surface(boundary.surface.vertex_count(), 3);
    for (int v = 0; v < boundary.surface.vertex_count(); ++v) {
      posed_surface.row(v) = pose.row(boundary.nodes[v]);
    }
    const SurfacePose found = poser.pose(posed_surface);
    EXPECT_EQ(found.inverted, 0);
    // A tenth of a cell: the springs give a little under strain.
    EXPECT_LT(found.largest_miss, 5e-3);
    EXPECT_LT(farthest(found.nodes, pose), 1e-2) << bend_angle << ' ' << twist_angle;
  }
}

TEST(SurfacePoser, RefusesSurfacesThatDoNotFit) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {3, 1, 1});
  const BoundSurface bound = bound_to(mesh, boundary_surface(mesh).surface);
  SurfacePoser poser(shared_elements(mesh), bound.surface, bound.binding);
  EXPECT_THROW((void)poser.pose(bound.surface.V.topRows(3)), Error);
  Positions bad = bound.surface.V;
  bad(0, 0) = std::nan("");
  EXPECT_THROW((void)poser.pose(bad), Error);
  SurfacePoserOptions options;
  options.stiffness = 0;
  EXPECT_THROW(SurfacePoser(shared_elements(mesh), bound.surface, bound.binding, options), Error);
  const TetMesh smaller = bar({1, 0.2, 0.2}, {1, 1, 1});
  EXPECT_THROW(SurfacePoser(shared_elements(smaller), bound.surface, bound.binding), Error);
}

TEST(SurfaceInterpolation, MeetsPosedSurfacesExactlyWithDetailsTheTetsDoNotHave) {
  const TetMesh mesh = bar({1, 0.12, 0.12}, {10, 2, 2});
  const TriMesh fine = boundary_surface(bar({1, 0.12, 0.12}, {30, 4, 4})).surface;
  const BoundSurface bound = bound_to(mesh, fine);
  SurfacePoser poser(shared_elements(mesh), fine, bound.binding);
  Bend bending;
  bending.origin = {0, 0.06, 0.06};
  bending.angle = 2.5;
  // Ripples that a cell of the tets cannot show.
  Positions rippled = fine.V;
  for (int v = 0; v < fine.vertex_count(); ++v) {
    rippled(v, 2) += 0.004 * std::sin(60 * fine.V(v, 0));
  }
  const std::vector<Positions> surfaces{fine.V, bend(rippled, bending)};
  std::vector<KeyPose> keys;
  for (std::size_t k = 0; k < 2; ++k) {
    keys.push_back({static_cast<double>(k), poser.pose(surfaces[k]).nodes, {}});
  }
  SurfaceInterpolation motion(pose_modes(mesh, {20, {}, {}}), bound.binding, keys, surfaces);
  EXPECT_LT(farthest(motion.evaluate(0), surfaces[0]), 1e-9);
  EXPECT_LT(farthest(motion.evaluate(1), surfaces[1]), 1e-9);
  Positions surface;
  Positions nodes;
  motion.evaluate(0.5, surface, &nodes);
  EXPECT_EQ(nodes.rows(), mesh.node_count());
  EXPECT_LT(farthest(surface, bound_positions(bound.binding, nodes)), 0.02);

  bending.angle = 1;
  const Positions between = bend(fine.V, bending);
  motion.add_pose(0.3, poser.pose(between).nodes, between, true);
  EXPECT_LT(farthest(motion.evaluate(0.3), between), 1e-9);
  EXPECT_LT(farthest(motion.evaluate(1), surfaces[1]), 1e-9);
  EXPECT_THROW(motion.add_pose(1, nodes, between, true), Error);
  EXPECT_THROW(motion.add_pose(0.5, nodes, between.topRows(2), true), Error);
}

TEST(SurfaceInterpolation, WithoutVibrationsShowsAGivenMotion) {
  const TetMesh mesh = bar({1, 0.12, 0.12}, {10, 2, 2});
  const TriMesh fine = boundary_surface(bar({1, 0.12, 0.12}, {30, 4, 4})).surface;
  const BoundSurface bound = bound_to(mesh, fine);
  SurfacePoser poser(shared_elements(mesh), fine, bound.binding);
  QuasiStatic given;
  given.gamma = 0;
  std::vector<Positions> surfaces;
  for (int k = 0; k < 4; ++k) {
    Bend bending;
    bending.origin = {0, 0.06, 0.06};
    bending.angle = 0.8 * k;
    surfaces.push_back(bend(fine.V, bending));
    given.times.push_back(0.25 * k);
    given.poses.push_back(poser.pose(surfaces.back()).nodes);
  }
  InterpolationOptions options;
  options.quasi_static = given;
  SurfaceInterpolation motion(pose_modes(mesh, {20, {}, {}}), bound.binding,
                              {{0, given.poses[0], {}}, {0.75, given.poses[3], {}}},
                              {surfaces[0], surfaces[3]}, options);
  for (int k = 1; k < 3; ++k) {
    motion.add_pose(given.times[k], given.poses[k], surfaces[k], false);
  }
  for (int k = 0; k < 4; ++k) {
    EXPECT_LT(farthest(motion.evaluate(given.times[k]), surfaces[k]), 1e-9);
  }
}

}  // namespace
}  // namespace limber
