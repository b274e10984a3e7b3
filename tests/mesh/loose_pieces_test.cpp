// Meshes taken apart where nothing holds them together, and glued there.
#include "limber/mesh/loose_pieces.h"

#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/glue.h"
#include "limber/mesh/sample_shapes.h"

namespace limber {
namespace {

TetMesh moved(TetMesh mesh, const Vec3& way) {
  mesh.V.rowwise() += way.transpose();
  return mesh;
}

TetMesh together(const TetMesh& a, const TetMesh& b) {
  TetMesh mesh;
  mesh.V.resize(a.V.rows() + b.V.rows(), 3);
  mesh.V << a.V, b.V;
  mesh.T.resize(a.T.rows() + b.T.rows(), 4);
  mesh.T << a.T, (b.T.array() + a.node_count()).matrix();
  for (int t = 0; t < a.tet_count(); ++t) mesh.regions.push_back(3);
  for (int t = 0; t < b.tet_count(); ++t) mesh.regions.push_back(7);
  return mesh;
}

TEST(LoosePieces, ComeLargestFirstWithTheirRegionsAndNumbers) {
  const TetMesh small = bar({1, 0.2, 0.2}, {4, 1, 1});
  const TetMesh large = moved(bar({1, 1, 1}, {2, 2, 2}), {3, 0, 0});
  const TetMesh whole = together(small, large);
  const std::vector<LoosePiece> pieces = loose_pieces(whole);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].mesh.node_count(), large.node_count());
  EXPECT_NEAR(volume(pieces[0].mesh.V, pieces[0].mesh.T), 1, 1e-12);
  EXPECT_NEAR(volume(pieces[1].mesh.V, pieces[1].mesh.T), 0.04, 1e-12);
  EXPECT_EQ(pieces[0].mesh.regions, std::vector<int>(large.tet_count(), 7));
  for (const LoosePiece& piece : pieces) {
    for (int i = 0; i < whole.node_count(); ++i) {
      if (piece.node_of[i] < 0) continue;
      EXPECT_EQ(whole.V.row(i), piece.mesh.V.row(piece.node_of[i]));
    }
  }
  for (int i = 0; i < whole.node_count(); ++i) {
    EXPECT_EQ(pieces[0].node_of[i] < 0, pieces[1].node_of[i] >= 0) << i;
  }
}

TEST(Glue, JoinsTouchingFacesAndKeepsTheVolume) {
  const TetMesh left = bar({1, 0.2, 0.2}, {4, 2, 2});
  const TetMesh right = moved(bar({0.5, 0.2, 0.2}, {2, 2, 2}), {1, 0, 0});
  const LoosePiece one = glued(together(left, right));
  EXPECT_EQ(connected_part_count(one.mesh), 1);
  EXPECT_EQ(one.mesh.node_count(), left.node_count() + right.node_count() - 9);
  EXPECT_NEAR(volume(one.mesh.V, one.mesh.T), 0.06, 1e-12);
  EXPECT_GT(tet_quality(one.mesh).min_volume, 0);
}

TEST(Glue, JoinsNodesThatNearlyMeet) {
  const TetMesh left = bar({1, 0.2, 0.2}, {4, 1, 1});
  const TetMesh right = moved(bar({0.5, 0.2, 0.2}, {2, 1, 1}), {1.02, 0.01, 0});
  const TetMesh whole = together(left, right);
  const LoosePiece one = glued(whole);
  EXPECT_EQ(one.mesh.node_count(), whole.node_count() - 4);
  EXPECT_GT(tet_quality(one.mesh).min_volume, 0);
  // The larger piece keeps its nodes' places.
  for (int i = 0; i < left.node_count(); ++i) {
    EXPECT_EQ(one.mesh.V.row(one.node_of[i]), left.V.row(i));
  }
}

TEST(Glue, JoinsThreePiecesAroundOneEdge) {
  const TetMesh cube = bar({1, 1, 1}, {1, 1, 1});
  const TetMesh whole = together(together(cube, moved(cube, {1, 0, 0})), moved(cube, {0, 1, 0}));
  const LoosePiece one = glued(whole);
  EXPECT_EQ(one.mesh.node_count(), 8 + 4 + 4);
  EXPECT_EQ(connected_part_count(one.mesh), 1);
}

TEST(Glue, RefusesPiecesThatDoNotTouchOrOnlyInALine) {
  const TetMesh cube = bar({1, 1, 1}, {1, 1, 1});
  EXPECT_THROW((void)glued(together(cube, moved(cube, {2, 0, 0}))), Error);
  EXPECT_THROW((void)glued(together(cube, moved(cube, {1, 1, 0}))), Error);
}

TEST(SurfaceOfPiece, TakesTrianglesByMostOfTheirCorners) {
  TriMesh surface;
  surface.V.resize(5, 3);
  surface.V << 0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 5, 1, 0;
  surface.F.resize(2, 3);
  surface.F << 0, 1, 2, 1, 3, 4;
  surface.colours.resize(5, 3);
  surface.colours.setConstant(0.5F);
  const TriMesh second = surface_of_piece(surface, {0, 0, 0, 1, 1}, 1);
  ASSERT_EQ(second.triangle_count(), 1);
  ASSERT_EQ(second.vertex_count(), 3);
  EXPECT_EQ(second.V.row(second.F(0, 0)), surface.V.row(1));
  EXPECT_EQ(second.colours.rows(), 3);
}

}  // namespace
}  // namespace limber
