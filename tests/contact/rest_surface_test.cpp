// Distances to surfaces at rest against all triangles one by one; what is healed, what refused.
#include "limber/contact/rest_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "contact/surfaces.h"
#include "limber/core/error.h"
#include "limber/modes/playback/contact_points.h"

namespace limber {
namespace {

TEST(RestSurface, DistancesEqualThoseToAllTriangles) {
  const test::Surface ball = test::ball_surface(0.7, 3);
  const RestSurface surface(ball.vertices, ball.triangles);
  ASSERT_TRUE(surface.closed());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-1, 1);
  for (int k = 0; k < 500; ++k) {
    const Vec3 x(place(random), place(random), place(random));
    double least = 1e9;
    for (int t = 0; t < ball.triangles.rows(); ++t) {
      least = std::min(least, nearest_on_triangle(x, ball.vertices.row(ball.triangles(t, 0)),
                                                  ball.vertices.row(ball.triangles(t, 1)),
                                                  ball.vertices.row(ball.triangles(t, 2)))
                                  .squared);
    }
    const SurfaceHit hit = surface.query(x, 10);
    ASSERT_GE(hit.triangle, 0);
    // Deep inside many triangles are nearly as far: the grid may take another one of those.
    EXPECT_NEAR(std::abs(hit.distance), std::sqrt(least), x.norm() > 0.4 ? 1e-12 : 0.02);
    if (std::abs(x.norm() - 0.7) > 0.05) {
      EXPECT_EQ(hit.distance < 0, x.norm() < 0.7);
    }
  }
}

TEST(RestSurface, FarPointsAreLeftOutAtOnce) {
  const test::Surface box = test::box_surface({1, 1, 1}, 4);
  const RestSurface surface(box.vertices, box.triangles);
  EXPECT_EQ(surface.query({0.5, 3, 0.5}, 0.1).triangle, -1);
  EXPECT_GE(surface.query({0.5, 1.05, 0.5}, 0.1).triangle, 0);
}

TEST(RestSurface, FlippedTrianglesAreTurnedLikeTheirNeighbours) {
  test::Surface box = test::box_surface({1, 1, 1}, 3);
  for (const int t : {0, 7, 8, 20}) std::swap(box.triangles(t, 1), box.triangles(t, 2));
  const RestSurface surface(box.vertices, box.triangles);
  EXPECT_EQ(surface.healing().turned, 4);
  EXPECT_TRUE(surface.closed());
  EXPECT_NEAR(surface.query({0.5, 0.9, 0.5}, 1).distance, -0.1, 1e-12);
  EXPECT_NE(surface.healing().text().find("turned"), std::string::npos);
}

TEST(RestSurface, ASurfaceInsideOutIsTurnedAsAWhole) {
  test::Surface box = test::box_surface({1, 1, 1}, 2);
  box.triangles.col(1).swap(box.triangles.col(2));
  const RestSurface surface(box.vertices, box.triangles);
  EXPECT_TRUE(surface.healing().inside_out);
  EXPECT_NEAR(surface.query({0.5, 1.1, 0.5}, 1).distance, 0.1, 1e-12);
}

TEST(RestSurface, FlatAndDoubleTrianglesAreLeftOut) {
  test::Surface box = test::box_surface({1, 1, 1}, 1);
  const auto count = box.triangles.rows();
  box.triangles.conservativeResize(count + 2, 3);
  box.triangles.row(count) << 0, 0, 1;
  box.triangles.row(count + 1) = box.triangles.row(0);
  const RestSurface surface(box.vertices, box.triangles);
  EXPECT_EQ(surface.healing().dropped, 2);
  EXPECT_TRUE(surface.closed());
}

TEST(RestSurface, OpenSurfacesHaveNoInside) {
  test::Surface box = test::box_surface({1, 1, 1}, 2);
  box.triangles.conservativeResize(box.triangles.rows() - 1, 3);
  const RestSurface surface(box.vertices, box.triangles);
  EXPECT_FALSE(surface.closed());
  EXPECT_GT(surface.query({0.5, 0.5, 0.5}, 1).distance, 0);
}

TEST(RestSurface, RefusesWhatIsNoSurface) {
  const test::Surface box = test::box_surface({1, 1, 1}, 1);
  Triangles flat(1, 3);
  flat << 0, 0, 1;
  EXPECT_THROW(RestSurface(box.vertices, flat), Error);
  Triangles missing(1, 3);
  missing << 0, 1, 99;
  EXPECT_THROW(RestSurface(box.vertices, missing), Error);
  Positions broken = box.vertices;
  broken(0, 0) = std::nan("");
  EXPECT_THROW(RestSurface(broken, box.triangles), Error);
}

TEST(ContactPoints, CornersOfABoxComeFirst) {
  const test::Surface box = test::box_surface({1, 2, 3}, 5);
  const std::vector<std::int32_t> points = choose_contact_points(box.vertices, box.triangles, 40);
  ASSERT_EQ(points.size(), 40U);
  for (int k = 0; k < 8; ++k) {
    const Vec3 x = box.vertices.row(points[static_cast<std::size_t>(k)]).transpose();
    const Vec3 from_middle = (x - Vec3(0.5, 1, 1.5)).cwiseAbs();
    EXPECT_LT((from_middle - Vec3(0.5, 1, 1.5)).norm(), 1e-12);
  }
}

TEST(ContactPoints, AreAllDifferentAndCoverTheSurface) {
  const test::Surface ball = test::ball_surface(1, 3);
  const std::vector<std::int32_t> points =
      choose_contact_points(ball.vertices, ball.triangles, 100);
  double farthest = 0;
  for (int v = 0; v < ball.vertices.rows(); ++v) {
    double least = 1e9;
    for (const int p : points)
      least = std::min(least, (ball.vertices.row(v) - ball.vertices.row(p)).norm());
    farthest = std::max(farthest, least);
  }
  // A hundred discs of this radius would cover the sphere nearly three times.
  EXPECT_LT(farthest, 0.35);
}

}  // namespace
}  // namespace limber
