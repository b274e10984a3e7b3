#include "limber/render/camera.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "limber/core/error.h"

namespace limber {
namespace {

Positions corners_of_a_box() {
  Positions points(8, 3);
  for (int k = 0; k < 8; ++k) points.row(k) << (k & 1) * 2.0, (k >> 1 & 1) * 0.5, (k >> 2) * 0.7;
  return points;
}

TEST(Camera, FramedPointsFillThePictureUpToItsMargin) {
  constexpr double kMargin = 0.1;
  for (const double aspect : {0.5, 1.0, 16.0 / 9, 4.0}) {
    for (const double azimuth : {0.0, 0.7, 2.0, 4.0}) {
      const View view{.azimuth = azimuth, .elevation = 0.3, .zoom = 1, .up = Vec3::UnitY()};
      const Positions points = corners_of_a_box();
      const Camera camera =
          frame_points(points, view, aspect, {kMargin, kMargin, kMargin, kMargin});
      Vec3 low = Vec3::Constant(INFINITY), high = -low;
      for (int k = 0; k < 8; ++k) {
        const Vec3 seen = camera.project(points.row(k).transpose());
        EXPECT_GT(seen.z(), 0);
        low = low.cwiseMin(seen);
        high = high.cwiseMax(seen);
      }
      // The tighter direction touches both margins exactly: the fit is linear in the eye.
      const int tight = high.x() - low.x() > high.y() - low.y() ? 0 : 1;
      EXPECT_NEAR(high[tight], 1 - kMargin, 1e-9);
      EXPECT_NEAR(low[tight], kMargin - 1, 1e-9);
      EXPECT_LE(high[1 - tight], 1 - kMargin + 1e-9);
      EXPECT_GE(low[1 - tight], kMargin - 1 - 1e-9);
    }
  }
}

TEST(Camera, UnequalMarginsAreKeptOnEachSide) {
  const Margins margins{.left = 0.7, .right = 0.05, .bottom = 0.1, .top = 0.4};
  for (const double aspect : {0.5, 1.0, 3.0}) {
    const View view{.azimuth = 0.7, .elevation = 0.3, .zoom = 1, .up = Vec3::UnitY()};
    const Positions points = corners_of_a_box();
    const Camera camera = frame_points(points, view, aspect, margins);
    Vec3 low = Vec3::Constant(INFINITY), high = -low;
    for (int k = 0; k < 8; ++k) {
      const Vec3 seen = camera.project(points.row(k).transpose());
      low = low.cwiseMin(seen);
      high = high.cwiseMax(seen);
    }
    const Vec3 lowest(margins.left - 1, margins.bottom - 1, 0);
    const Vec3 highest(1 - margins.right, 1 - margins.top, INFINITY);
    EXPECT_TRUE(((low - lowest).head<2>().array() > -1e-9).all());
    EXPECT_TRUE(((highest - high).head<2>().array() > -1e-9).all());
    // The tighter direction touches both of its margins.
    const Vec3 free = (low - lowest) + (highest - high);
    EXPECT_NEAR(free.head<2>().minCoeff(), 0, 1e-9);
  }
}

TEST(Camera, RayAndProjectionAreInverse) {
  const Camera camera = look_at({3, 2, 5}, {0, 0.5, 0}, Vec3::UnitY(), 1.5);
  const Vec3 seen = camera.project(camera.eye + 7 * camera.ray(0.3, -0.6));
  EXPECT_NEAR(seen.x(), 0.3, 1e-12);
  EXPECT_NEAR(seen.y(), -0.6, 1e-12);
  const Vec3 middle = camera.project({0, 0.5, 0});
  EXPECT_NEAR(middle.head<2>().norm(), 0, 1e-12);
}

TEST(Camera, FramesAreRightHandedAlsoStraightFromAbove) {
  for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 0, 0)}) {
    for (const double elevation : {0.0, 0.4, 1.5707963267948966}) {
      const Mat3 frame = view_frame({.azimuth = 0.3, .elevation = elevation, .zoom = 1, .up = up});
      EXPECT_NEAR(frame.determinant(), 1, 1e-12);
      EXPECT_GE(frame.col(1).dot(up), -1e-9);  // up is never down in the picture
    }
  }
}

TEST(Camera, OnePointIsSeenFromAMetreAndAnEyeOnItsTargetIsRefused) {
  const Positions point = Positions::Constant(1, 3, 2.0);
  const Camera camera = frame_points(point, View{}, 1);
  EXPECT_NEAR((camera.eye - Vec3::Constant(2)).norm(), 1, 1e-12);
  EXPECT_THROW((void)look_at({1, 2, 3}, {1, 2, 3}, Vec3::UnitY(), 1), Error);
}

}  // namespace
}  // namespace limber
