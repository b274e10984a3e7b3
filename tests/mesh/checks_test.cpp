// Validity, quality and topology against closed forms.
#include "limber/mesh/checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "limber/mesh/boundary.h"
#include "limber/mesh/coincident.h"
#include "limber/mesh/describe.h"
#include "mesh/mesh_files.h"
#include "mesh/two_tets.h"

namespace limber {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

TetMesh regular_tet() {
  TetMesh mesh;
  mesh.V.resize(4, 3);
  mesh.V << 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1;
  mesh.T.resize(1, 4);
  mesh.T << 0, 1, 2, 3;
  if (volume(mesh.V, mesh.T) < 0) std::swap(mesh.T(0, 2), mesh.T(0, 3));
  return mesh;
}

TEST(Quality, RegularTetIsPerfect) {
  const TetQuality quality = tet_quality(regular_tet());
  EXPECT_NEAR(quality.volume, 8.0 / 3, 1e-14);  // a third of the cube around it
  EXPECT_NEAR(quality.min_dihedral_degrees, std::acos(1.0 / 3) * kDegrees, 1e-12);
  EXPECT_NEAR(quality.max_dihedral_degrees, std::acos(1.0 / 3) * kDegrees, 1e-12);
  EXPECT_NEAR(quality.worst_radius_ratio, 1, 1e-14);
}

TEST(Quality, CornerOfACubeByHand) {
  TetMesh mesh = two_tets();
  mesh.T.conservativeResize(1, 4);
  mesh.regions.clear();
  const TetQuality quality = tet_quality(mesh);
  EXPECT_NEAR(quality.min_volume, 1.0 / 6, 1e-15);
  EXPECT_NEAR(quality.max_dihedral_degrees, 90, 1e-12);
  EXPECT_NEAR(quality.min_dihedral_degrees, std::acos(1 / std::sqrt(3.0)) * kDegrees, 1e-12);
  // Inradius 1/(3+√3), circumradius √3/2.
  EXPECT_NEAR(quality.worst_radius_ratio, 6 / (std::sqrt(3.0) * (3 + std::sqrt(3.0))), 1e-14);
}

TEST(Quality, WorstTetIsFoundWhereverItIs) {
  TetMesh mesh = bar({4, 1, 1}, {4, 1, 1});
  mesh.V.row(7) = mesh.V.row(7) + 0.9 * (mesh.V.row(6) - mesh.V.row(7));
  const TetQuality quality = tet_quality(mesh);
  bool touches = false;
  for (int c = 0; c < 4; ++c) touches = touches || mesh.T(quality.worst_tet, c) == 7;
  EXPECT_TRUE(touches);
}

TEST(Quality, AnglesAndRatioDoNotDependOnPlaceAndScale) {
  TetMesh mesh = sphere(1, 2);
  const TetQuality before = tet_quality(mesh);
  mesh.V *= 1e-3;
  mesh.V.rowwise() += Eigen::RowVector3d(1, 2, 3);
  const TetQuality after = tet_quality(mesh);
  // Moving by 3 costs 3e-16 of edges of 1e-4: relative 3e-12, a few of them an angle.
  EXPECT_NEAR(after.min_dihedral_degrees, before.min_dihedral_degrees, 1e-8);
  EXPECT_NEAR(after.worst_radius_ratio, before.worst_radius_ratio, 1e-10);
  EXPECT_NEAR(after.volume, before.volume * 1e-9, 1e-19);
}

TEST(Check, AcceptsSliversButNotFlatTets) {
  TetMesh mesh = two_tets();
  mesh.V.row(4) << 1.0 / 3, 1.0 / 3, 1.0 / 3;  // the middle of the common face, to rounding
  EXPECT_NE(error_of([&] { check(mesh); }).find("tet 1 is flat"), std::string::npos);
  mesh.V.row(4).array() += 1e-9;
  EXPECT_NO_THROW(check(mesh));
  mesh.V.row(4).array() -= 2e-9;
  EXPECT_NE(error_of([&] { check(mesh); }).find("tet 1 has negative volume"), std::string::npos);
}

TEST(Check, FlatnessIsRelative) {
  for (const double scale : {1e-30, 1e-6, 1.0, 1e9, 1e30}) {
    TetMesh mesh = two_tets();
    mesh.V *= scale;
    EXPECT_NO_THROW(check(mesh)) << scale;
    mesh.V.row(4) = mesh.V.row(3);
    EXPECT_THROW(check(mesh), Error) << scale;
  }
}

TEST(Check, TurnedFlatTetsStayFlatInAnyDirection) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 1000; ++trial) {
    TetMesh mesh = regular_tet();
    const Vec3 a(normal(random), normal(random), normal(random));
    const Vec3 b(normal(random), normal(random), normal(random));
    const Vec3 origin(normal(random) * 100, normal(random) * 100, normal(random) * 100);
    for (int i = 0; i < 4; ++i) mesh.V.row(i) = origin + normal(random) * a + normal(random) * b;
    EXPECT_NE(error_of([&] { check(mesh); }).find("is flat"), std::string::npos) << trial;
  }
}

TEST(Check, RefusesEverythingElseThatIsWrong) {
  EXPECT_NE(error_of([] { check(TetMesh{}); }).find("no tetrahedra"), std::string::npos);
  TetMesh mesh = two_tets();
  mesh.T(1, 2) = 5;
  EXPECT_NE(error_of([&] { check(mesh); }).find("tet 1 names"), std::string::npos);
  mesh = two_tets();
  mesh.regions.pop_back();
  EXPECT_NE(error_of([&] { check(mesh); }).find("1 regions for 2 tets"), std::string::npos);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e200}) {
    mesh = two_tets();
    mesh.V(2, 1) = bad;
    EXPECT_NE(error_of([&] { check(mesh); }).find("node 2"), std::string::npos);
  }
}

TEST(Boundary, FacesLookOutwardAndKnowTheirNodes) {
  const TetMesh mesh = bar({3, 2, 1}, {3, 2, 1});
  const Boundary boundary = boundary_surface(mesh);
  EXPECT_EQ(boundary.surface.triangle_count(), 2 * 2 * (3 * 2 + 2 * 1 + 3 * 1));
  EXPECT_TRUE(std::is_sorted(boundary.nodes.begin(), boundary.nodes.end()));
  for (std::size_t v = 0; v < boundary.nodes.size(); ++v) {
    EXPECT_EQ(boundary.surface.V.row(v), mesh.V.row(boundary.nodes[v]));
  }
  const SurfaceTopology topology = surface_topology(boundary.surface);
  EXPECT_NEAR(topology.volume, 6, 1e-13);
  EXPECT_NEAR(topology.area, 22, 1e-13);
}

TEST(Boundary, InnerNodesAreNotOnIt) {
  const TetMesh mesh = bar({1, 1, 1}, {2, 2, 2});
  const std::vector<int> nodes = boundary_surface(mesh).nodes;
  EXPECT_EQ(nodes.size(), 26);
  EXPECT_EQ(std::count(nodes.begin(), nodes.end(), 13), 0);
}

TEST(Parts, DisconnectedBodiesAreCounted) {
  TetMesh mesh = two_tets();
  const Positions one = mesh.V;
  mesh.V.conservativeResize(11, 3);
  mesh.V.row(5) << 9, 9, 9;  // of no tet
  mesh.V.bottomRows(5) = one.array() + 3;
  mesh.T.conservativeResize(4, 4);
  mesh.T.bottomRows(2) = mesh.T.topRows(2).array() + 6;
  mesh.regions.clear();
  EXPECT_EQ(connected_part_count(mesh), 2);
  EXPECT_EQ(connected_parts(mesh), (std::vector<int>{0, 0, 0, 0, 0, -1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(unused_nodes(mesh), std::vector<int>{5});
  EXPECT_EQ(connected_part_count(TetMesh{}), 0);
}

TEST(Topology, TorusHasNoHandlesToSpare) {
  const TetMesh ring = tube(2, 1, 1, 12, 2, 2);
  const SurfaceTopology topology = surface_topology(boundary_surface(ring).surface);
  EXPECT_EQ(topology.euler_characteristic, 0);  // 2 - 2·genus
}

TEST(Topology, HolesTurnedTrianglesAndTornEdgesAreSeen) {
  const TriMesh closed = painted_tetrahedron();
  EXPECT_TRUE(surface_topology(closed).closed);
  TriMesh open = closed;
  open.F.conservativeResize(3, 3);
  const SurfaceTopology hole = surface_topology(open);
  EXPECT_FALSE(hole.closed);
  EXPECT_EQ(hole.boundary_edges, 3);
  EXPECT_TRUE(hole.manifold && hole.oriented);
  EXPECT_EQ(hole.euler_characteristic, 1);
  TriMesh turned = closed;
  std::swap(turned.F(0, 0), turned.F(0, 1));
  EXPECT_FALSE(surface_topology(turned).oriented);
  TriMesh fin = closed;
  fin.V.conservativeResize(5, 3);
  fin.V.row(4) << 5, 5, 5;
  fin.F.conservativeResize(5, 3);
  fin.F.row(4) << 0, 1, 4;
  EXPECT_EQ(surface_topology(fin).non_manifold_edges, 1);
  EXPECT_FALSE(surface_topology(fin).manifold);
}

TEST(Topology, TwoFansAtOneVertexAreNotManifold) {
  TriMesh bow;  // two tetrahedra that share one vertex
  const TriMesh one = painted_tetrahedron();
  bow.V.resize(7, 3);
  bow.V.topRows(4) = one.V;
  bow.V.bottomRows(3) = one.V.bottomRows(3).array() + 5;
  bow.F.resize(8, 3);
  bow.F.topRows(4) = one.F;
  for (int i = 0; i < 12; ++i) {
    const int v = one.F.data()[i];
    bow.F.data()[12 + i] = v == 0 ? 0 : v + 3;
  }
  const SurfaceTopology topology = surface_topology(bow);
  EXPECT_TRUE(topology.closed && topology.oriented);
  EXPECT_EQ(topology.non_manifold_edges, 0);
  EXPECT_EQ(topology.non_manifold_vertices, 1);
  EXPECT_FALSE(topology.manifold);
  EXPECT_EQ(topology.components, 1);
}

TEST(Coincident, FindsTheFirstAtEachPlace) {
  Positions positions(5, 3);
  positions << 0, 1, 2, 3, 4, 5, -0.0, 1, 2, 3, 4, 5.0000000001, 3, 4, 5;
  EXPECT_EQ(first_coincident(positions), (std::vector<int>{0, 1, 0, 3, 1}));
  EXPECT_EQ(duplicate_count(positions), 2);
  EXPECT_TRUE(first_coincident(Positions(0, 3)).empty());
}

TEST(Volume, IsTripledByStretchingOneAxisThreefold) {
  const TetMesh mesh = sphere(1, 3);
  Positions stretched = mesh.V;
  stretched.col(1) *= 3;
  EXPECT_NEAR(volume(stretched, mesh.T), 3 * volume(mesh.V, mesh.T), 1e-12);
}

TEST(Describe, SaysWhatTheMeshHolds) {
  TetMesh mesh = bar_of_two_regions();
  mesh.V.conservativeResize(mesh.V.rows() + 1, 3);
  mesh.V.bottomRows(1) << 100, 100, 100;
  const TetMeshDescription description = describe(mesh);
  EXPECT_EQ(description.nodes, 25);
  EXPECT_EQ(description.tets, 36);
  EXPECT_EQ(description.unused_nodes, 1);
  EXPECT_EQ(description.parts, 1);
  EXPECT_LT(description.bounds.high.maxCoeff(), 1);
  ASSERT_EQ(description.regions.size(), 2);
  EXPECT_EQ(description.regions[1].number, 7);
  EXPECT_EQ(description.regions[1].tets, 12);
  EXPECT_NEAR(description.regions[0].volume + description.regions[1].volume,
              description.quality.volume, 1e-15);
  EXPECT_TRUE(description.surface.closed);

  const SurfaceDescription surface = describe(painted_tetrahedron());
  EXPECT_EQ(surface.triangles, 4);
  EXPECT_TRUE(surface.has_uv && surface.has_uv_seams && surface.has_colours);
  EXPECT_EQ(surface.bounds.high, Vec3(1, 1, 1));
  EXPECT_EQ(surface.materials.size(), 2);
}

}  // namespace
}  // namespace limber
