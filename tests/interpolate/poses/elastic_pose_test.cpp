// Poses by dragging and from posed surfaces.
#include "limber/interpolate/poses/elastic_pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/interpolate/poses/surface_poser.h"
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

}  // namespace
}  // namespace limber
