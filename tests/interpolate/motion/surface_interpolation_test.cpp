// Motions of posed surfaces that tets carry.
#include "limber/interpolate/motion/surface_interpolation.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/interpolate/quality/motion_quality.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/select.h"
#include "support/poses.h"

namespace limber {
namespace {

struct BoundSurface {
  TriMesh surface;
  SurfaceBinding binding;
};
BoundSurface bound_to(const TetMesh& mesh, const TriMesh& surface) {
  return {surface, binding_of(embed(mesh, surface))};
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
  SurfaceInterpolation motion(pose_modes(mesh, {20, {}, {}}), fine, bound.binding, keys, surfaces);
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
  SurfaceInterpolation motion(pose_modes(mesh, {20, {}, {}}), fine, bound.binding,
                              {{0, given.poses[0], {}}, {0.75, given.poses[3], {}}},
                              {surfaces[0], surfaces[3]}, options);
  for (int k = 1; k < 3; ++k) {
    motion.add_pose(given.times[k], given.poses[k], surfaces[k], false);
  }
  for (int k = 0; k < 4; ++k) {
    EXPECT_LT(farthest(motion.evaluate(given.times[k]), surfaces[k]), 1e-9);
  }
}

/// A thin leg on a thick body, in cells of the body's size: the tets hold little of the leg.
struct LeggedBody {
  TetMesh tets;
  TriMesh surface;
  Positions kicked;
};

LeggedBody legged_body(double scale) {
  LeggedBody body;
  body.tets = bar({1, 0.5, 0.5}, {4, 2, 2});
  body.surface = boundary_surface(bar({1.6, 0.06, 0.06}, {40, 2, 2})).surface;
  // Off the tets' faces, so that no vertex hangs between two tets by rounding.
  body.surface.V.rowwise() += Eigen::RowVector3d(0.2, 0.213, 0.217);
  Bend bending;
  bending.origin = {0.9, 0.25, 0.25};
  bending.from = 0;
  bending.to = 0.3;
  bending.angle = 2.4;
  body.kicked = bend(body.surface.V, bending);
  body.tets.V *= scale;
  body.surface.V *= scale;
  body.kicked *= scale;
  return body;
}

/// Frames of the default motion from rest to the kick in `duration`, stiffness `young`.
std::vector<Positions> kick(const LeggedBody& body, double duration, double young) {
  const BoundSurface bound = bound_to(body.tets, body.surface);
  SurfacePoser poser(shared_elements(body.tets), body.surface, bound.binding);
  Material material;
  material.young = young;
  PoseModesOptions modal;
  modal.modes = 20;
  modal.materials = material;
  SurfaceInterpolation motion(
      pose_modes(body.tets, modal), body.surface, bound.binding,
      {{0, poser.pose(body.surface.V).nodes, {}}, {duration, poser.pose(body.kicked).nodes, {}}},
      {body.surface.V, body.kicked});
  std::vector<Positions> frames;
  for (int k = 0; k <= 8; ++k) frames.push_back(motion.evaluate(duration * k / 8));
  return frames;
}

TEST(SurfaceInterpolation, BeatsStraightLinesOnALegThinnerThanTheTets) {
  const LeggedBody body = legged_body(1);
  const MotionQuality quality(body.surface, {0, 8}, {body.surface.V, body.kicked});
  const std::vector<Positions> frames = kick(body, 8, 1e6);
  FrameQuality worst;
  FrameQuality blended;
  for (int k = 0; k <= 8; ++k) {
    worst = worse(worst, quality.measure(k, frames[k]));
    blended = worse(blended, quality.measure_blend(k));
  }
  EXPECT_LT(worst.straying, 1.05);
  // The bend is sharp: 2.4 rad over five times the thickness.
  EXPECT_GT(worst.shrinking, 0.98);
  EXPECT_LT(worst.swelling, 1.02);
  EXPECT_GT(blended.straying, 2);  // the leg turns by 2.4 rad: 1/cos 1.2 = 2.8
  EXPECT_LT(blended.shrinking, 0.9);
}

TEST(SurfaceInterpolation, UnitsStiffnessAndTimesChangeNothingAboutTheDefaultMotion) {
  const std::vector<Positions> frames = kick(legged_body(1), 1, 1e6);
  // A power of two leaves all digits as they are: any length in metres in the code would show.
  const std::vector<Positions> others[] = {kick(legged_body(128), 1, 1e6),
                                           kick(legged_body(1), 0.04, 1e6),
                                           kick(legged_body(1), 1, 1e3)};
  const double scales[] = {128, 1, 1};
  for (int other = 0; other < 3; ++other) {
    for (std::size_t k = 0; k < frames.size(); ++k) {
      EXPECT_LT(farthest(others[other][k] / scales[other], frames[k]), 1e-6) << other << ' ' << k;
    }
  }
}

TEST(SurfaceInterpolation, TrianglesWithoutAreaAndLooseVerticesAreCarried) {
  const TetMesh mesh = slender_bar();
  TriMesh surface = boundary_surface(mesh).surface;
  const Eigen::Index vertices = surface.V.rows();
  const Eigen::Index triangles = surface.F.rows();
  surface.V.conservativeResize(vertices + 1, 3);
  surface.V.row(vertices) = surface.V.row(0);
  surface.F.conservativeResize(triangles + 1, 3);
  surface.F.row(triangles) << 0, static_cast<int>(vertices), 1;
  const BoundSurface bound = bound_to(mesh, surface);
  const Positions pose = bent(surface.V, 2);
  SurfaceInterpolation motion(pose_modes(mesh, {10, {}, {}}), surface, bound.binding,
                              {{0, mesh.V, {}}, {1, bent(mesh.V, 2), {}}}, {surface.V, pose});
  EXPECT_LT(farthest(motion.evaluate(0), surface.V), 1e-9);
  EXPECT_LT(farthest(motion.evaluate(1), pose), 1e-9);
  const Positions half = motion.evaluate(0.5);
  EXPECT_LT((half.row(vertices) - half.row(0)).norm(), 1e-3);
}

/// The angle between the normals of a bar's end face, relative to its beginning's, at rest and now.
double turn_of_end(const TriMesh& surface, const Positions& positions) {
  const auto normal_at = [&](double x) {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index f = 0; f < surface.F.rows(); ++f) {
      bool there = true;
      for (int k = 0; k < 3; ++k) {
        there = there && std::abs(surface.V(surface.F(f, k), 0) - x) < 1e-9;
      }
      if (!there) continue;
      const Vec3 a = positions.row(surface.F(f, 1)) - positions.row(surface.F(f, 0));
      const Vec3 b = positions.row(surface.F(f, 2)) - positions.row(surface.F(f, 0));
      sum += a.cross(b);
    }
    return Vec3(sum.normalized());
  };
  // At rest the two faces look away from each other.
  return std::acos(std::clamp(-normal_at(0).dot(normal_at(1)), -1.0, 1.0));
}

TEST(SurfaceInterpolation, HeldFeetStandStillAndTurnedRegionsTurn) {
  const TetMesh mesh = bar({1, 0.12, 0.12}, {16, 2, 2});
  const TriMesh surface = boundary_surface(mesh).surface;
  const BoundSurface bound = bound_to(mesh, surface);
  const Positions pose = bent(surface.V, 2);
  InterpolationOptions options;
  for (int node = 0; node < mesh.node_count(); ++node) {
    if (mesh.V(node, 0) < 0.1) options.positions.push_back({node, {}});
  }
  const auto basis = pose_modes(mesh, {10, {}, {}});
  const std::vector<KeyPose> keys{{0, mesh.V, {}}, {1, bent(mesh.V, 2), {}}};
  // The feet are where they were at first, bent a little at the end: they hardly move.
  SurfaceInterpolation held(basis, surface, bound.binding, keys, {surface.V, pose}, options);
  Positions shown;
  Positions nodes;
  held.evaluate(0.5, shown, &nodes);
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (surface.V(v, 0) > 0.05) continue;
    // To a thousandth of a cell: springs a thousand times as stiff as their neighbours.
    EXPECT_LT((shown.row(v) - bound_positions(bound.binding, nodes).row(v)).norm(), 1e-4);
  }
  // A tip that is told to stay unturned while the bar bends.
  const int tip = nearest_node(mesh, {1, 0.06, 0.06});
  options.positions.clear();
  options.orientations = {{tip, Path({0, 1}, {Vec3(0, 0, 0), Vec3(0, 0, 0)}), 1e4}};
  SurfaceInterpolation turned(basis, surface, bound.binding, keys, {surface.V, pose}, options);
  SurfaceInterpolation free(basis, surface, bound.binding, keys, {surface.V, pose});
  // Half way the tip of a free bar, bent by 2 in all, has turned by about 1.
  EXPECT_GT(turn_of_end(surface, free.evaluate(0.5)), 0.7);
  EXPECT_LT(turn_of_end(surface, turned.evaluate(0.5)), 0.35);
}

}  // namespace
}  // namespace limber
