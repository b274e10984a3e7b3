// Characters: watertight, well shaped, of the size asked for, and the same every time.
#include "limber/mesh/characters/character.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "limber/core/error.h"
#include "limber/mesh/characters/implicit.h"
#include "limber/mesh/characters/polygonise.h"
#include "limber/mesh/checks.h"

namespace limber {
namespace {

double degrees(double radians) { return radians * 180 / std::numbers::pi; }

/// Share of corners narrower than `limit` degrees.
double narrow_share(const TriMesh& mesh, double limit) {
  int narrow = 0;
  for (int f = 0; f < mesh.triangle_count(); ++f) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 at = mesh.V.row(mesh.F(f, i));
      const Vec3 a = mesh.V.row(mesh.F(f, (i + 1) % 3)).transpose() - at;
      const Vec3 b = mesh.V.row(mesh.F(f, (i + 2) % 3)).transpose() - at;
      if (degrees(std::atan2(a.cross(b).norm(), a.dot(b))) < limit) ++narrow;
    }
  }
  return narrow / (3.0 * mesh.triangle_count());
}

class Characters : public testing::TestWithParam<std::string> {};

TEST_P(Characters, AreSoundSurfacesAtEverySize) {
  for (const int wanted : {1000, 4000}) {
    const TriMesh mesh = character(GetParam(), wanted, 0.5);
    const SurfaceTopology topology = surface_topology(mesh);
    EXPECT_TRUE(topology.manifold) << wanted;
    EXPECT_TRUE(topology.oriented) << wanted;
    EXPECT_EQ(topology.closed, GetParam() != "hat") << wanted;
    EXPECT_EQ(topology.components, 1) << wanted;
    EXPECT_TRUE(!topology.closed || topology.volume > 0) << wanted;
    EXPECT_NEAR(mesh.vertex_count(), wanted, 0.15 * wanted);
    EXPECT_NEAR(mesh.V.col(1).minCoeff(), 0, 1e-12);
    EXPECT_NEAR(mesh.V.col(1).maxCoeff(), 0.5, 1e-12);
  }
}

TEST_P(Characters, HaveFewNarrowTriangles) {
  // Surface nets of a smooth surface have no corner below about 25 degrees once relaxed; folds and
  // eyes smaller than a cell leave some.
  EXPECT_LT(narrow_share(character(GetParam(), 4000), 15), 0.004);
}

TEST_P(Characters, CarryColoursGroupsAndTextureCoordinates) {
  const TriMesh mesh = character(GetParam(), 1500);
  ASSERT_EQ(mesh.colours.rows(), mesh.vertex_count());
  EXPECT_GE(mesh.colours.minCoeff(), 0);
  EXPECT_LE(mesh.colours.maxCoeff(), 1);
  ASSERT_EQ(static_cast<int>(mesh.face_materials.size()), mesh.triangle_count());
  for (const int group : mesh.face_materials) {
    ASSERT_GE(group, 0);
    ASSERT_LT(group, std::ssize(mesh.material_names));
  }
  EXPECT_TRUE(mesh.uv.rows() == mesh.vertex_count() ||
              mesh.corner_uv.rows() == 3 * mesh.triangle_count());
}

TEST_P(Characters, AreTheSameEveryTime) {
  const TriMesh one = character(GetParam(), 1000);
  const TriMesh other = character(GetParam(), 1000);
  EXPECT_EQ(one.V, other.V);
  EXPECT_EQ(one.F, other.F);
}

INSTANTIATE_TEST_SUITE_P(All, Characters, testing::ValuesIn(character_names()),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Character, RefusesWhatItCannotMake) {
  EXPECT_THROW((void)character("dodo"), Error);
  EXPECT_THROW((void)character("dino", 3), Error);
  EXPECT_THROW((void)character("dino", 2'000'000'000), Error);
  EXPECT_THROW((void)character("dino", 1000, -1), Error);
  EXPECT_THROW((void)character("dino", 1000, std::nan("")), Error);
}

TEST(Polygonise, ABallIsABall) {
  Implicit solid;
  const int paint = solid.add_paint("ball", Eigen::Vector3f::Ones());
  solid.add({ellipsoid({0.1, 0.2, 0.3}, {0.5, 0.5, 0.5}), {{0.1, 0.2, 0.3}, 0.5}, 0, paint});
  const TriMesh mesh = polygonise(solid, 3000);
  const SurfaceTopology topology = surface_topology(mesh);
  EXPECT_TRUE(topology.closed && topology.manifold && topology.oriented);
  EXPECT_EQ(topology.euler_characteristic, 2);
  EXPECT_NEAR(mesh.vertex_count(), 3000, 150);
  // Vertices are projected until f is below 1e-7 of a cell (or by three steps of Newton's method).
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    EXPECT_NEAR((mesh.V.row(v).transpose() - Vec3(0.1, 0.2, 0.3)).norm(), 0.5, 1e-6);
  }
  // Inscribed triangles of side h lose about h²/(4r²) of the volume: h = 0.035 here.
  EXPECT_NEAR(topology.volume, 4.0 / 3 * std::numbers::pi * 0.125, 0.003 * 0.5236);
  EXPECT_EQ(narrow_share(mesh, 25), 0);
}

TEST(Polygonise, SheetsThatPassNearEachOtherStayApart) {
  // Two balls a tenth of a cell apart: cells between them hold two sheets.
  Implicit solid;
  const int paint = solid.add_paint("balls", Eigen::Vector3f::Ones());
  solid.add({ellipsoid({-0.303, 0.5, 0}, {0.3, 0.3, 0.3}), {{-0.303, 0.5, 0}, 0.3}, 0, paint});
  solid.add({ellipsoid({0.303, 0.5, 0}, {0.3, 0.3, 0.3}), {{0.303, 0.5, 0}, 0.3}, 0, paint});
  const TriMesh mesh = polygonise(solid, 2000);
  const SurfaceTopology topology = surface_topology(mesh);
  EXPECT_TRUE(topology.closed && topology.manifold);
  EXPECT_EQ(topology.components, 1);  // the largest piece alone
}

TEST(Implicit, BlendsSwellByAQuarterOfTheWidthAtMost) {
  EXPECT_DOUBLE_EQ(smooth_min(1, 1, 0.4), 0.9);
  EXPECT_DOUBLE_EQ(smooth_min(1, 1.4, 0.4), 1);
  EXPECT_DOUBLE_EQ(smooth_min(2, 1, 0), 1);
}

}  // namespace
}  // namespace limber
