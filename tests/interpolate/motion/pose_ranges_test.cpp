// In-betweens keep between their poses: measured by motion_quality.h, which knows nothing of how.
#include "limber/interpolate/motion/pose_ranges.h"

#include <gtest/gtest.h>

#include <random>

#include "limber/interpolate/motion/shape_interpolation.h"
#include "limber/interpolate/quality/motion_quality.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/checks.h"
#include "support/poses.h"

namespace limber {
namespace {

TriMesh stick() { return boundary_surface(bar({1, 0.12, 0.12}, {16, 2, 2})).surface; }

Positions shaken(const Positions& positions, double by, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-by, by);
  Positions result = positions;
  for (Eigen::Index k = 0; k < result.size(); ++k) result.data()[k] += shift(random);
  return result;
}

/// A frame half way, shaken, put between its poses.
FrameQuality half_way(const TriMesh& surface, const Positions& first, const Positions& last,
                      const Positions& frame, Positions* result = nullptr) {
  PoseRanges ranges(surface, {});
  ranges.add_pose(2, last);
  ranges.add_pose(0, first);
  Positions moved = frame;
  ranges.apply(1, moved);
  if (result != nullptr) *result = moved;
  return MotionQuality(surface, {0, 2}, {first, last}).measure(1, moved);
}

TEST(PoseRanges, BringLengthsAndVolumeBack) {
  const TriMesh surface = stick();
  const Positions last = bent(surface.V, 1.2);
  const Positions frame = shaken(bent(surface.V, 0.6), 0.004, 1);
  const FrameQuality before = MotionQuality(surface, {0, 2}, {surface.V, last}).measure(1, frame);
  const FrameQuality after = half_way(surface, surface.V, last, frame);
  EXPECT_GT(before.straying, 1.05);
  // Sixteen rounds leave less than a fifth of what strayed; the volume comes by Newton.
  EXPECT_LT(after.straying - 1, 0.2 * (before.straying - 1));
  EXPECT_GT(std::max(before.swelling - 1, 1 - before.shrinking), 1e-4);
  EXPECT_LT(after.swelling, 1 + 1e-9);
  EXPECT_GT(after.shrinking, 1 - 1e-9);
}

TEST(PoseRanges, LeaveWhatIsBetweenThePosesAlone) {
  const TriMesh surface = stick();
  const Positions turned = moved(surface.V, {0.3, 2.0, 0.7}, {3, 1, -2});
  Positions result;
  half_way(surface, surface.V, turned, moved(surface.V, {1, 0, 0}, {0, 5, 0}), &result);
  EXPECT_LT(farthest(result, moved(surface.V, {1, 0, 0}, {0, 5, 0})), 1e-12);
  half_way(surface, surface.V, 2 * surface.V, 1.5 * surface.V, &result);
  EXPECT_LT(farthest(result, 1.5 * surface.V), 1e-12);
}

TEST(PoseRanges, UnitsAndPlacesChangeNothing) {
  const TriMesh surface = stick();
  const Positions last = bent(surface.V, 1.2);
  const Positions frame = shaken(bent(surface.V, 0.6), 0.004, 1);
  Positions result;
  half_way(surface, surface.V, last, frame, &result);
  TriMesh large = surface;
  large.V *= 100;
  Positions scaled;
  half_way(large, large.V, 100 * last, 100 * frame, &scaled);
  EXPECT_LT(farthest(scaled, 100 * result), 1e-9);
}

TEST(PoseRanges, HeldNodesStayAndEveryPartKeepsItsOwnVolume) {
  // Two sticks, one inside out: its volume is negative in the poses and stays so.
  const TriMesh one = stick();
  TriMesh both;
  both.V.resize(2 * one.V.rows(), 3);
  both.V << one.V, one.V.rowwise() + Eigen::RowVector3d(0, 3, 0);
  both.F.resize(2 * one.F.rows(), 3);
  Triangles turned(one.F.rows(), 3);
  turned << one.F.col(1), one.F.col(0), one.F.col(2);
  turned.array() += one.vertex_count();
  both.F << one.F, turned;
  std::vector<int> held;
  for (int v = 0; v < both.vertex_count(); ++v) {
    if (both.V(v, 0) < 0.2) held.push_back(v);
  }
  PoseRanges ranges(both, held);
  ranges.add_pose(0, both.V);
  ranges.add_pose(1, both.V);
  const Positions frame = shaken(both.V, 0.004, 2);
  Positions kept = frame;
  ranges.apply(0.5, kept);
  for (const int v : held) EXPECT_EQ(kept.row(v), frame.row(v));
  for (int part = 0; part < 2; ++part) {
    const Eigen::Index first = part * one.vertex_count();
    const MotionQuality quality(one, {0, 1}, {one.V, one.V});
    const FrameQuality found = quality.measure(0.5, kept.middleRows(first, one.vertex_count()));
    EXPECT_NEAR(found.swelling, 1, 1e-9);
  }
}

TEST(PoseRanges, OpenSurfacesAndFlatOnesStayFinite) {
  TriMesh open = stick();
  open.F.conservativeResize(open.F.rows() - 1, 3);
  half_way(open, open.V, open.V, shaken(open.V, 0.01, 3));
  TriMesh flat = stick();
  flat.V.col(1).setZero();
  Positions result;
  half_way(flat, flat.V, flat.V, shaken(flat.V, 0.01, 3), &result);
  EXPECT_TRUE(result.allFinite());
  EXPECT_LT(farthest(result, flat.V), 0.2);
}

/// Poses of tets that straight lines do well, and rotations badly: what is blended well by both
/// must not be worse by turning.
TEST(PoseRanges, MotionsOfTetsKeepTheirVolumeToRounding) {
  const TetMesh mesh = slender_bar();
  Positions sheared = mesh.V;
  sheared.col(1) += 0.8 * mesh.V.col(0);
  for (const Positions& pose : {sheared, shaken(mesh.V, 0.01, 4), bent(mesh.V, 2.5)}) {
    InterpolationOptions options;
    options.fits = kFitsOfKeptFrames;
    options.within_poses = true;
    ShapeInterpolation motion(pose_modes(mesh, {10, {}, {}}), {{0, mesh.V, {}}, {1, pose, {}}},
                              options);
    const auto [small, large] = std::minmax({volume(mesh.V, mesh.T), volume(pose, mesh.T)});
    for (const double t : {0.0, 0.2, 0.5, 0.9, 1.0}) {
      const double now = volume(motion.evaluate(t), mesh.T);
      EXPECT_GT(now, small * (1 - 1e-6));
      EXPECT_LT(now, large * (1 + 1e-6));
    }
  }
}

}  // namespace
}  // namespace limber
