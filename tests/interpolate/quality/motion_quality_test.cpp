// What a motion is measured by, on shapes whose numbers are known.
#include "limber/interpolate/quality/motion_quality.h"

#include <gtest/gtest.h>

#include <numbers>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/quality/self_intersections.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/sample_shapes.h"

namespace limber {
namespace {

TriMesh cube() { return boundary_surface(bar({1, 1, 1}, {2, 2, 2})).surface; }

Positions turned(const Positions& positions, double angle) {
  const Vec3 axis(0, 0, angle);
  return positions * rotation_exp(axis).transpose();
}

TEST(MotionQuality, SeesNothingWrongInARigidTurn) {
  const TriMesh surface = cube();
  const double angle = 0.8 * std::numbers::pi;
  const MotionQuality quality(surface, {0, 1}, {surface.V, turned(surface.V, angle)});
  ASSERT_TRUE(quality.closed());
  const FrameQuality half = quality.measure(0.5, turned(surface.V, angle / 2));
  EXPECT_NEAR(half.longest, 1, 1e-12);
  EXPECT_NEAR(half.shortest, 1, 1e-12);
  EXPECT_NEAR(half.straying, 1, 1e-12);
  EXPECT_NEAR(half.volume, 1, 1e-12);
}

TEST(MotionQuality, SeesHowStraightLinesShrinkATurn) {
  // Half way the points across the axis stand at cos(angle/2) of their distance: the blend is the
  // half turn times that, the volume its square.
  const TriMesh surface = cube();
  const double angle = 2.0;
  const MotionQuality quality(surface, {0, 1}, {surface.V, turned(surface.V, angle)});
  const FrameQuality half = quality.measure_blend(0.5);
  EXPECT_NEAR(half.shortest, std::cos(1.0), 1e-12);
  EXPECT_NEAR(half.straying, 1 / std::cos(1.0), 1e-12);
  EXPECT_NEAR(half.shrinking, std::cos(1.0) * std::cos(1.0), 1e-12);
  EXPECT_NEAR(half.longest, 1, 1e-12);  // along the axis
}

TEST(MotionQuality, TakesTheRangeFromTheTwoPosesAround) {
  const TriMesh surface = cube();
  const MotionQuality quality(surface, {0, 1, 2}, {surface.V, 2 * surface.V, surface.V * 0.5});
  EXPECT_NEAR(quality.measure(0.5, 1.5 * surface.V).straying, 1, 1e-12);
  EXPECT_NEAR(quality.measure(0.5, 3 * surface.V).straying, 1.5, 1e-12);
  EXPECT_NEAR(quality.measure(0.5, 0.5 * surface.V).straying, 2, 1e-12);
  EXPECT_NEAR(quality.measure(1.5, 0.5 * surface.V).straying, 1, 1e-12);
  EXPECT_NEAR(quality.measure(1.5, 3 * surface.V).swelling, 27.0 / 8, 1e-12);
  const FrameQuality both =
      worse(quality.measure(0.5, 3 * surface.V), quality.measure(0.5, 0.5 * surface.V));
  EXPECT_NEAR(both.longest, 3, 1e-12);
  EXPECT_NEAR(both.shortest, 0.5, 1e-12);
  EXPECT_NEAR(both.straying, 2, 1e-12);
  EXPECT_NEAR(quality.volumes_of_poses()[1], 8, 1e-12);
  EXPECT_NEAR(quality.volumes_of_poses()[2], 0.125, 1e-12);
}

TEST(MotionQuality, RefusesPosesOfAnotherSurface) {
  const TriMesh surface = cube();
  EXPECT_THROW(MotionQuality(surface, {0, 1}, {surface.V, surface.V.topRows(3)}), Error);
  EXPECT_THROW(MotionQuality(surface, {0}, {surface.V}), Error);
}

TEST(FrameIntersections, FindTheTrianglesThatCross) {
  // Two squares side by side; one is laid across the other.
  TriMesh squares;
  squares.V.resize(8, 3);
  squares.V << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0,  //
      3, 0, 0, 4, 0, 0, 4, 1, 0, 3, 1, 0;
  squares.F.resize(4, 3);
  squares.F << 0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7;
  const FrameIntersectionFinder finder(squares);
  EXPECT_EQ(finder.find(squares.V).pairs, 0);
  Positions crossed = squares.V;
  // The second square stands upright through the first, below its diagonal y = x.
  crossed.row(4) << 0.9, 0.1, -1;
  crossed.row(5) << 0.9, 0.2, -1;
  crossed.row(6) << 0.9, 0.2, 1;
  crossed.row(7) << 0.9, 0.1, 1;
  const FrameIntersections found = finder.find(crossed);
  EXPECT_EQ(found.pairs, 2);
  EXPECT_EQ(found.triangles, (std::vector<int>{0, 2, 3}));
}

TEST(FrameIntersections, TakeVerticesAtOnePlaceForOne) {
  // A cube whose triangles share no vertex has no self-intersection either.
  const TriMesh whole = cube();
  TriMesh apart;
  apart.V.resize(3 * whole.F.rows(), 3);
  apart.F.resize(whole.F.rows(), 3);
  for (int f = 0; f < whole.triangle_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      apart.V.row(3 * f + k) = whole.V.row(whole.F(f, k));
      apart.F(f, k) = 3 * f + k;
    }
  }
  EXPECT_EQ(FrameIntersectionFinder(apart).find(apart.V).pairs, 0);
}

}  // namespace
}  // namespace limber
