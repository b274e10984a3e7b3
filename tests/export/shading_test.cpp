// Normals against closed forms: boxes keep their sides, spheres point outward.
#include "limber/mesh/shading.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <set>

#include "moving_bodies.h"

namespace limber {
namespace {

using testing_support::lone_triangle;
using testing_support::sample_of;

std::vector<float> points_of(const TriMesh& surface) {
  return {surface.V.data(), surface.V.data() + surface.V.size()};
}

std::vector<Eigen::Vector3f> normals_of(const TriMesh& surface, const Shading& shading) {
  std::vector<float> numbers(3 * shading.normal_count());
  shading.normals(points_of(surface), numbers);
  std::vector<Eigen::Vector3f> normals;
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    normals.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  }
  return normals;
}

TEST(Shading, BoxHasOneNormalASideAtEveryCorner) {
  const TriMesh box = sample_of("box", bar({1, 2, 3}, {2, 2, 2})).body.surface;
  const Shading shading(box);
  // 26 vertices: 8 corners with 3 normals, 12 edge middles with 2, 6 side middles with 1.
  EXPECT_EQ(shading.normal_count(), 8U * 3 + 12 * 2 + 6);
  EXPECT_FALSE(shading.is_open());
  const auto normals = normals_of(box, shading);
  for (int corner = 0; corner < box.F.size(); ++corner) {
    const Vec3 a = box.V.row(box.F(corner / 3, 0));
    const Vec3 b = box.V.row(box.F(corner / 3, 1));
    const Vec3 c = box.V.row(box.F(corner / 3, 2));
    const Vec3 side = (b - a).cross(c - a).normalized();
    // Sums of a few unit vectors in single precision.
    EXPECT_LT((normals[shading.corner_normals()[corner]] - side.cast<float>()).norm(), 1e-6);
  }
}

TEST(Shading, EveryNormalBelongsToTheVertexOfItsCorners) {
  const TriMesh box = sample_of("box", bar({1, 2, 3}, {2, 2, 2})).body.surface;
  const Shading shading(box);
  for (int corner = 0; corner < box.F.size(); ++corner) {
    const std::uint32_t normal = shading.corner_normals()[corner];
    EXPECT_EQ(static_cast<int>(shading.normal_vertices()[normal]), box.F.data()[corner]);
  }
  for (int vertex = 0; vertex < box.vertex_count(); ++vertex) {
    EXPECT_EQ(static_cast<int>(shading.normal_vertices()[vertex]), vertex);
  }
}

TEST(Shading, SphereIsSmoothAndItsNormalsConvergeToTheRadius) {
  double previous = 0;
  for (const int cells : {4, 8}) {
    const TriMesh ball = sample_of("ball", sphere(1, cells)).body.surface;
    const Shading shading(ball);
    EXPECT_EQ(shading.normal_count(), static_cast<std::size_t>(ball.vertex_count()));
    const auto normals = normals_of(ball, shading);
    double worst = 0;
    for (int vertex = 0; vertex < ball.vertex_count(); ++vertex) {
      const Vec3 outward = ball.V.row(vertex).transpose().normalized();
      worst = std::max<double>(worst, (normals[vertex] - outward.cast<float>()).norm());
    }
    // At least first order in the cell size.
    if (previous > 0) {
      EXPECT_LT(worst, 0.6 * previous);
    }
    previous = worst;
  }
  EXPECT_LT(previous, 0.05);
}

TEST(Shading, NormalsTurnWithTheSurface) {
  TriMesh box = sample_of("box", bar({1, 2, 3}, {2, 2, 2})).body.surface;
  const Shading shading(box);
  const auto before = normals_of(box, shading);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()).matrix();
  box.V = box.V * turn.transpose();
  const auto after = normals_of(box, shading);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_LT((after[i] - turn.cast<float>() * before[i]).norm(), 2e-6);
  }
}

TEST(Shading, DiagonalsOfFlatPartsDoNotTiltNormals) {
  // A corner of a cube-like tent: one side cut into many triangles pulls no stronger than a whole
  // one. Two unit squares meet at a right angle along x, below the crease limit at 40°.
  const double slope = 40 * std::numbers::pi / 180;
  TriMesh roof;
  roof.V.resize(7, 3);
  roof.V << 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0.5, 0, 1, 0, std::sin(slope), -std::cos(slope), 1,
      std::sin(slope), -std::cos(slope);
  roof.F.resize(5, 3);
  roof.F << 0, 2, 4, 0, 4, 1, 4, 3, 1,  // the flat square in three triangles
      0, 1, 6, 0, 6, 5;                 // the sloping one in two
  const Shading shading(roof);
  const auto normals = normals_of(roof, shading);
  // At vertex 0 each square takes 90°: the mean lies half-way, tilted by 20°.
  const Eigen::Vector3f half(0, static_cast<float>(std::cos(slope / 2)),
                             static_cast<float>(std::sin(slope / 2)));
  EXPECT_LT((normals[0] - half).norm(), 1e-6);
  EXPECT_TRUE(shading.is_open());
}

TEST(Shading, FlatAndMissingTrianglesGiveUnitNormalsAllTheSame) {
  AnimatedBody body = lone_triangle("leaf");
  body.surface.V.conservativeResize(5, 3);
  body.surface.V.row(3) << 9, 9, 9;      // used by no triangle
  body.surface.V.row(4) << 0.5, 0.5, 0;  // on the side of the triangle
  body.surface.F.conservativeResize(3, 3);
  body.surface.F.row(1) << 1, 4, 2;  // without area
  body.surface.F.row(2) << 0, 0, 0;  // a point
  const Shading shading(body.surface);
  for (const auto& normal : normals_of(body.surface, shading)) {
    EXPECT_NEAR(normal.norm(), 1, 1e-6);
  }
}

TEST(Shading, TinyAndHugeSurfacesHaveTheSameNormals) {
  TriMesh box = sample_of("box", bar({1, 2, 3}, {1, 1, 1})).body.surface;
  const Shading shading(box);
  const auto plain = normals_of(box, shading);
  for (const double scale : {1e-30, 1e30}) {
    TriMesh scaled = box;
    scaled.V *= scale;
    const auto normals = normals_of(scaled, Shading(scaled));
    ASSERT_EQ(normals.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_LT((normals[i] - plain[i]).norm(), 1e-5);
  }
}

TEST(Shading, TextureSeamsSplitVerticesButNotNormals) {
  TriMesh ball = sample_of("ball", sphere(1, 3)).body.surface;
  ball.corner_uv.resize(3 * ball.F.rows(), 2);
  for (Eigen::Index corner = 0; corner < ball.corner_uv.rows(); ++corner) {
    const bool upper = ball.V(ball.F(corner / 3, 0), 1) > 0;  // by triangle, so a seam runs round
    ball.corner_uv.row(corner) << (upper ? 0.0F : 0.5F), 0.25F;
  }
  const Shading shading(ball);
  const SplitSurface split = limber::split(ball, shading);
  EXPECT_GT(split.vertex.size(), static_cast<std::size_t>(ball.vertex_count()));
  std::set<std::pair<std::uint32_t, float>> seen;
  for (std::size_t i = 0; i < split.vertex.size(); ++i) {
    EXPECT_EQ(split.normal[i], split.vertex[i]);  // smooth: one normal a vertex
    EXPECT_TRUE(seen.insert({split.vertex[i], split.uv[2 * i]}).second) << "a needless copy";
  }
  for (int corner = 0; corner < ball.F.size(); ++corner) {
    const std::uint32_t vertex = split.corners[corner];
    EXPECT_EQ(static_cast<int>(split.vertex[vertex]), ball.F.data()[corner]);
    EXPECT_EQ(split.uv[2 * vertex], ball.corner_uv(corner, 0));
  }
}

/// Two triangles folded by a right angle, as a file with one normal a vertex (smooth) or with the
/// vertices of the fold repeated (sharp).
TriMesh folded(bool smooth) {
  TriMesh fold;
  fold.V.resize(4, 3);
  fold.V << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  fold.F.resize(2, 3);
  fold.F << 0, 1, 2, 1, 0, 3;
  fold.file.corners = fold.F;
  fold.file.vertex = {0, 1, 2, 3};
  fold.file.normal = {0, 1, 2, 3};
  if (!smooth) {
    fold.file.corners.row(1) << 5, 4, 3;
    fold.file.vertex = {0, 1, 2, 3, 0, 1};
    fold.file.normal = {0, 1, 2, 3, 4, 5};
  }
  return fold;
}

TEST(Shading, CreasesAreThoseOfTheFile) {
  // By itself a right angle is a crease; the file says it is smooth.
  EXPECT_EQ(Shading(folded(true)).normal_count(), 4U);
  EXPECT_EQ(Shading(folded(false)).normal_count(), 6U);
  TriMesh unknown = folded(true);
  unknown.file = {};
  EXPECT_EQ(Shading(unknown).normal_count(), 6U);
}

TEST(Shading, SplitVerticesAreThoseOfTheFile) {
  const TriMesh fold = folded(false);
  const SplitSurface vertices = split(fold, Shading(fold));
  EXPECT_EQ(vertices.vertex, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(vertices.corners, (std::vector<std::uint32_t>{0, 1, 2, 5, 4, 3}));
}

TEST(Shading, PartsOfAFileHaveVerticesOfTheirOwnInItsOrder) {
  TriMesh fold = folded(false);
  fold.file.corners << 0, 1, 2, 4, 3, 5;
  fold.file.vertex = {0, 1, 2, 0, 1, 3};
  fold.material_names = {"b", "a"};
  fold.face_materials = {1, 0};
  const std::vector<MaterialPart> parts = parts_by_material(fold, split(fold, Shading(fold)));
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].material, 1);
  EXPECT_EQ(parts[0].first, 0U);
  EXPECT_EQ(parts[0].count, 3U);
  EXPECT_EQ(parts[1].first, 3U);
  EXPECT_EQ(parts[1].count, 3U);
}

}  // namespace
}  // namespace limber
