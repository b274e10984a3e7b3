// Sample shapes: the papers' counts, volumes in closed form, closed surfaces, useful tets.
#include "limber/mesh/sample_shapes.h"

#include "limber/mesh/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/checks.h"

namespace limber {
namespace {

/// Sums of a few thousand terms of one sign: rounding far below this.
constexpr double kSumRounding = 1e-12;

void expect_solid(const TetMesh& mesh, double volume_wanted, int euler_wanted) {
  EXPECT_NO_THROW(check(mesh));
  EXPECT_TRUE(unused_nodes(mesh).empty());
  EXPECT_EQ(connected_part_count(mesh), 1);
  EXPECT_NEAR(volume(mesh.V, mesh.T), volume_wanted, kSumRounding * volume_wanted);
  const SurfaceTopology surface = surface_topology(boundary_surface(mesh).surface);
  EXPECT_TRUE(surface.closed);
  EXPECT_TRUE(surface.manifold);
  EXPECT_TRUE(surface.oriented);
  EXPECT_EQ(surface.components, 1);
  EXPECT_EQ(surface.euler_characteristic, euler_wanted);
  // The divergence theorem: tets that overlap or leave gaps break it.
  EXPECT_NEAR(surface.volume, volume_wanted, kSumRounding * volume_wanted);
}

/// Area of a regular polygon on a circle.
double polygon_area(double radius, int corners) {
  return corners / 2.0 * radius * radius * std::sin(2 * std::numbers::pi / corners);
}

TEST(SampleShapes, BarHasThePapersCounts) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  EXPECT_EQ(mesh.node_count(), 99);
  EXPECT_EQ(mesh.tet_count(), 240);
  EXPECT_EQ(bar_five_tets({3, 3, 10}, {3, 3, 10}).tet_count(), 450);
  EXPECT_EQ(bar_five_tets({3, 3, 17}, {3, 3, 17}).tet_count(), 765);
}

TEST(SampleShapes, CylinderHasThePapersCounts) {
  const TetMesh coarse = cylinder(1, 4, 11, 10, 2);
  EXPECT_EQ(coarse.node_count(), 253);
  EXPECT_EQ(coarse.tet_count(), 990);
  const TetMesh fine = cylinder(1, 4, 20, 20, 2);
  EXPECT_EQ(fine.node_count(), 861);
  EXPECT_EQ(fine.tet_count(), 3600);
}

TEST(SampleShapes, BarNodesRunAlongXFirst) {
  const TetMesh mesh = bar({2, 3, 4}, {2, 3, 4});
  for (int k = 0; k <= 4; ++k) {
    for (int j = 0; j <= 3; ++j) {
      for (int i = 0; i <= 2; ++i) {
        EXPECT_EQ(mesh.V.row(i + 3 * (j + 4 * k)), Eigen::RowVector3d(i, j, k));
      }
    }
  }
}

TEST(SampleShapes, BoxesFillTheirVolumeForAnyCellCounts) {
  const Vec3 size(1.5, 0.7, 0.3);
  for (const CellCounts& cells :
       {CellCounts{1, 1, 1}, {2, 1, 1}, {1, 3, 2}, {4, 4, 4}, {5, 3, 1}, {1, 1, 6}}) {
    expect_solid(bar(size, cells), size.prod(), 2);
    expect_solid(bar_five_tets(size, cells), size.prod(), 2);
    expect_solid(sheet(size, cells), size.prod(), 2);
  }
}

TEST(SampleShapes, CylindersAndTubesFillTheirPolygonalVolume) {
  for (const int around : {3, 4, 11, 20}) {
    for (const int rings : {1, 2, 3}) {
      for (const int layers : {1, 5}) {
        expect_solid(cylinder(0.5, 2, around, layers, rings), 2 * polygon_area(0.5, around), 2);
        expect_solid(tube(0.5, 0.3, 2, around, layers, rings),
                     2 * (polygon_area(0.5, around) - polygon_area(0.3, around)), 0);
      }
    }
  }
}

TEST(SampleShapes, SphereConvergesToTheBallAtSecondOrder) {
  const double ball = 4.0 / 3 * std::numbers::pi * 8;
  std::array<double, 3> missing{};
  for (int i = 0; i < 3; ++i) {
    const TetMesh mesh = sphere(2, 4 << i);
    missing[i] = ball - volume(mesh.V, mesh.T);
    const SurfaceTopology surface = surface_topology(boundary_surface(mesh).surface);
    EXPECT_TRUE(surface.closed && surface.manifold && surface.oriented);
    for (const int node : boundary_surface(mesh).nodes) {
      EXPECT_NEAR(mesh.V.row(node).norm(), 2, 1e-14);  // a few roundings of 2
    }
  }
  // An inscribed surface misses O(h²) of the volume: halving h quarters it.
  EXPECT_NEAR(missing[0] / missing[1], 4, 0.2);
  EXPECT_NEAR(missing[1] / missing[2], 4, 0.05);
}

TEST(SampleShapes, SphereTetsStayWellShaped) {
  // Angles fall towards 29 degrees with refinement and stay there: the map is smooth inside faces.
  for (const int cells : {1, 2, 3, 8, 16}) {
    const TetQuality quality = tet_quality(sphere(1, cells));
    EXPECT_GT(quality.min_dihedral_degrees, 29) << cells;
    EXPECT_LT(quality.max_dihedral_degrees, 116) << cells;
    EXPECT_GT(quality.worst_radius_ratio, 0.6) << cells;
  }
}

TEST(SampleShapes, FigureIsOneSoundPiece) {
  for (const int cells : {12, 20, 33}) {
    const TetMesh mesh = figure(1.7, cells);
    check(mesh);
    EXPECT_EQ(connected_part_count(mesh), 1);
    EXPECT_TRUE(unused_nodes(mesh).empty());
    EXPECT_TRUE(surface_topology(boundary_surface(mesh).surface).closed);
    EXPECT_GT(tet_quality(mesh).min_dihedral_degrees, 5);
    const Vec3 extent = mesh.V.colwise().maxCoeff() - mesh.V.colwise().minCoeff();
    EXPECT_NEAR(extent.y(), 1.7, 0.2 * 1.7);
  }
  EXPECT_THROW(figure(1, 5), Error);
}

TEST(SampleShapes, ImpossibleShapesAreRefused) {
  EXPECT_THROW(bar({1, 1, 0}, {1, 1, 1}), Error);
  EXPECT_THROW(bar({1, -1, 1}, {1, 1, 1}), Error);
  EXPECT_THROW(bar({1, 1, std::numeric_limits<double>::quiet_NaN()}, {1, 1, 1}), Error);
  EXPECT_THROW(bar({1, 1, 1}, {1, 0, 1}), Error);
  EXPECT_THROW(bar({1, 1, 1}, {2000000000, 2000000000, 2000000000}), Error);
  EXPECT_THROW(cylinder(1, 1, 2, 1, 1), Error);
  EXPECT_THROW(cylinder(1, 1, 3, 0, 1), Error);
  EXPECT_THROW(cylinder(1, 1, 2000000000, 2000000000, 2000000000), Error);
  EXPECT_THROW(tube(1, 1, 1, 8, 1, 1), Error);
  EXPECT_THROW(tube(1, 0.5, 1, 8, 1, 0), Error);
  EXPECT_THROW(sphere(1, 0), Error);
  EXPECT_THROW(sphere(1, 2000000000), Error);
}

}  // namespace
}  // namespace limber
