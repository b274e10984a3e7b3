// Normals from deformed triangles against those of the deformed smooth surface.
#include "limber/skin/triangle_normals.h"

#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "support/twisted_ball.h"

namespace limber {
namespace {

std::vector<float> normals_at(const TriangleNormals& normals, const std::vector<float>& positions,
                              int threads = 1) {
  std::vector<float> result(positions.size());
  normals.update(positions, result, threads);
  return result;
}

std::vector<float> as_floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

Vec3 row(const std::vector<float>& values, std::size_t i) {
  return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

TEST(TriangleNormals, AreExactOnASphereWhateverItsTriangles) {
  const Ball sphere = ball(13, 21);
  const std::vector<float> positions = as_floats(sphere.positions);
  const auto found = normals_at(TriangleNormals(sphere.positions, sphere.triangles), positions);
  for (std::size_t v = 0; v < positions.size() / 3; ++v) {
    // Sides of 0.05 from coordinates rounded to 6e-8 turn a triangle by 1e-6.
    EXPECT_LT((row(found, v) - row(positions, v)).norm(), 2e-5) << v;
  }
}

TEST(TriangleNormals, OfATwistedAndStretchedSphereAreWithinOneDegree) {
  const Ball sphere = ball(60, 90);
  std::vector<float> positions;
  for (std::size_t v = 0; v < sphere.positions.size() / 3; ++v) {
    const Vec3 x = twisted(Eigen::Map<const Vec3>(sphere.positions.data() + 3 * v));
    for (const double c : x) positions.push_back(static_cast<float>(c));
  }
  const auto found = normals_at(TriangleNormals(sphere.positions, sphere.triangles), positions);
  double worst = 0, largest_turn = 0;
  for (std::size_t v = 0; v < positions.size() / 3; ++v) {
    const Vec3 X = Eigen::Map<const Vec3>(sphere.positions.data() + 3 * v);
    const Vec3 expected = twisted_normal(X);
    worst = std::max(worst, degrees(row(found, v), expected));
    largest_turn = std::max(largest_turn, degrees(X, expected));
  }
  EXPECT_LT(worst, 1.0);
  EXPECT_GT(largest_turn, 20.0);  // the deformation is not a small one
}

TEST(TriangleNormals, SoupsBordersAndFlatTrianglesHaveUnitNormals) {
  // A square, a triangle turned the other way on one of its sides, a flat one, a lone vertex.
  const std::vector<double> V = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0, 9, 9, 9};
  const std::vector<std::int32_t> F = {0, 1, 2, 0, 2, 3, 0, 2, 3, 1, 4, 5, 4, 4, 5};
  const auto found = normals_at(TriangleNormals(V, F), as_floats(V));
  for (const int v : {0, 1, 2, 3}) EXPECT_LT((row(found, v) - Vec3::UnitZ()).norm(), 1e-6) << v;
  for (const int v : {4, 5, 6}) EXPECT_EQ(row(found, v), Vec3::UnitY()) << v;
}

TEST(TriangleNormals, AnyNumberOfThreadsGivesTheSameBits) {
  const Ball sphere = ball(20, 33);
  const TriangleNormals normals(sphere.positions, sphere.triangles);
  const std::vector<float> positions = as_floats(sphere.positions);
  EXPECT_EQ(normals_at(normals, positions), normals_at(normals, positions, 3));
}

TEST(TriangleNormals, RefuseTrianglesAndLengthsThatDoNotFit) {
  const std::vector<double> V(9, 0.0);
  EXPECT_THROW(TriangleNormals(V, std::vector<std::int32_t>{0, 1, 3}), Error);
  EXPECT_THROW(TriangleNormals(V, std::vector<std::int32_t>{0, 1}), Error);
  const TriangleNormals normals(V, std::vector<std::int32_t>{0, 1, 2});
  std::vector<float> few(6);
  EXPECT_THROW(normals.update(few, few), Error);
}

}  // namespace
}  // namespace limber
