// Surfaces bound to tets: exact at rest, rigid under rigid motions, limited outside.
#include "limber/mesh/embedding/embed.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <random>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "mesh/surfaces.h"

namespace limber {
namespace {

Positions rigidly_moved(const Positions& x) {
  const Eigen::Matrix3d R =
      Eigen::AngleAxisd(2.1, Vec3(0.3, -0.7, 0.5).normalized()).toRotationMatrix();
  return (x * R.transpose()).rowwise() + Eigen::RowVector3d(3, -1, 2);
}

TEST(Embedding, IsExactAtRestAndUnderAffineMaps) {
  const TetMesh mesh = bar({2, 1, 1}, {4, 2, 2});
  const TriMesh surface = moved(ball_surface(0.4, 4), {1, 0.5, 0.5});
  const Embedding bound = embed(mesh, surface);
  EXPECT_EQ(bound.outside, 0);
  EXPECT_EQ(bound.offsets.rows(), 0);
  // Weights of well-shaped tets are good to a few roundings of 1.
  EXPECT_LT((embedded_positions(bound, mesh.V) - surface.V).cwiseAbs().maxCoeff(), 1e-14);
  Eigen::Matrix3d A;
  A << 1, 0.4, 0, -0.2, 1.3, 0.1, 0.3, 0, 0.8;
  const Positions expected = surface.V * A.transpose();
  EXPECT_LT((embedded_positions(bound, mesh.V * A.transpose()) - expected).cwiseAbs().maxCoeff(),
            1e-14);
}

TEST(Embedding, RigidMotionOfTheTetsMovesTheSurfaceRigidly) {
  const TriMesh surface = torus_surface(1, 0.35, 40, 16);
  for (const FillMode mode : {FillMode::cage, FillMode::conforming}) {
    TetrahedralizeOptions options;
    options.mode = mode;
    options.cells = 10;
    const Tetrahedralized made = tetrahedralize(surface, options);
    ASSERT_EQ(made.embedding.limited, 0);
    const Positions there = embedded_positions(made.embedding, rigidly_moved(made.mesh.V));
    // Weights up to 2 in size on coordinates up to 5.
    EXPECT_LT((there - rigidly_moved(surface.V)).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(Embedding, OutsideVerticesGoToTheNearestTetWithLimitedWeights) {
  const TetMesh mesh = bar({1, 1, 1}, {2, 2, 2});
  Positions vertices(3, 3);
  vertices << 0.5, 0.4, 1.1, 1.2, 1.3, 1.2, 0.5, 0.5, 9;
  const Embedding bound = embed(mesh, vertices);
  EXPECT_EQ(bound.outside, 3);
  EXPECT_EQ(bound.limited, 1);
  EXPECT_NEAR(bound.farthest_outside, 8, 1e-14);
  for (const double w : bound.weights) EXPECT_GE(w, -kMostExtrapolation - 1e-12);
  for (int v = 0; v < 3; ++v) {
    double sum = 0;
    for (int c = 0; c < 4; ++c) sum += bound.weights[4 * v + c];
    EXPECT_NEAR(sum, 1, 1e-14);
  }
  EXPECT_LT((embedded_positions(bound, mesh.V) - vertices).cwiseAbs().maxCoeff(), 1e-14);
  // The nearest tet of the first vertex is at the top.
  EXPECT_EQ(mesh.V(bound.nodes[0], 2) + mesh.V(bound.nodes[1], 2) + mesh.V(bound.nodes[2], 2) +
                    mesh.V(bound.nodes[3], 2) >
                2,
            true);
}

TEST(Embedding, WhereTetsOverlapTheSurfaceDecides) {
  // Two bars through one another, apart as meshes; each ball belongs to one of them by its far end.
  TetMesh mesh = bar({4, 1, 1}, {8, 2, 2});
  TetMesh other = bar({1, 4, 1}, {2, 8, 2});
  const int nodes = mesh.node_count();
  const int tets = mesh.tet_count();
  other.V.rowwise() += Eigen::RowVector3d(0.1, -0.1, 0.05);
  TetMesh both;
  both.V.resize(nodes + other.node_count(), 3);
  both.V << mesh.V, other.V;
  both.T.resize(tets + other.tet_count(), 4);
  both.T << mesh.T, Tets(other.T.array() + nodes);
  const TriMesh along_x = moved(box_surface({3.6, 0.6, 0.5}, {24, 6, 6}), {0.2, 0.2, 0.2});
  const TriMesh along_y = moved(box_surface({0.6, 3.6, 0.5}, {6, 24, 6}), {0.213, 0.107, 0.231});
  const Embedding bound = embed(both, together(along_x, along_y));
  for (int v = 0; v < bound.vertex_count(); ++v) {
    EXPECT_EQ(bound.tets[v] < tets, v < along_x.vertex_count()) << v;
  }
}

/// A fork of few long triangles: a handle and prongs of width `width`, `gap` apart, in the plane of
/// x and y and one unit deep.
TriMesh fork_surface(int prongs, double width, double gap) {
  std::vector<Eigen::Vector2d> outline{{0, 0}};
  const double across = prongs * width + (prongs - 1) * gap;
  outline.emplace_back(across, 0);
  for (int k = prongs - 1; k >= 0; --k) {
    const double left = k * (width + gap);
    outline.emplace_back(left + width, 5);
    outline.emplace_back(left, 5);
    if (k > 0) outline.emplace_back(left, 1);
    if (k > 0) outline.emplace_back(left - gap, 1);
  }
  const int n = static_cast<int>(outline.size());
  TriMesh fork;
  fork.V.resize(2 * n, 3);
  for (int i = 0; i < n; ++i) {
    fork.V.row(i) << outline[i].x(), outline[i].y(), 0;
    fork.V.row(n + i) << outline[i].x(), outline[i].y(), 1;
  }
  std::vector<std::array<int, 3>> faces;
  const auto quad = [&](int a, int b, int c, int d) {
    faces.push_back({a, b, c});
    faces.push_back({a, c, d});
  };
  for (int i = 0; i < n; ++i) quad(i, (i + 1) % n, n + (i + 1) % n, n + i);
  // Front and back: each prong, and a fan over the handle. Corner 2 + 4j + … is a prong's tip.
  std::vector<int> rim{0, 1};
  for (int k = 0; k < prongs; ++k) {
    const int tip = 2 + 4 * k;  // right, left; then the notch's left and right end
    const int right = k == 0 ? 1 : tip - 1;
    const int left = k == prongs - 1 ? 0 : tip + 2;
    quad(n + right, n + tip, n + tip + 1, n + left);
    quad(left, tip + 1, tip, right);
    if (k > 0) rim.push_back(right);
    if (k < prongs - 1) rim.push_back(left);
  }
  for (std::size_t i = 2; i < rim.size(); ++i) {
    faces.push_back({n + rim[0], n + rim[i - 1], n + rim[i]});
    faces.push_back({rim[0], rim[i], rim[i - 1]});
  }
  fork.F.resize(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    fork.F.row(static_cast<Eigen::Index>(f)) << faces[f][0], faces[f][1], faces[f][2];
  }
  return fork;
}

/// How far two bindings of a surface come apart when every node goes its own way.
double disagreement(const TetMesh& mesh, const Embedding& a, const Embedding& b) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(-1, 1);
  Positions there = mesh.V;
  for (double& x : there.reshaped()) x += share(random);
  return (embedded_positions(a, there) - embedded_positions(b, there)).cwiseAbs().maxCoeff();
}

TEST(Embedding, ASurfaceBoundAgainToItsCageGoesToTheSameCopies) {
  const TriMesh fork = fork_surface(3, 1, 0.07);
  for (const int cells : {10, 13, 17}) {
    TetrahedralizeOptions options;
    options.mode = FillMode::cage;
    options.cells = cells;
    const Tetrahedralized made = tetrahedralize(fork, options);
    ASSERT_GT(made.report.copied_tets, 0);
    // Weights below 1 of coordinates below 6, with vertices on faces to 1e-10 of a weight.
    EXPECT_LT(disagreement(made.mesh, made.embedding, embed(made.mesh, fork)), 1e-8) << cells;
  }
}

TEST(Embedding, PartsThatNearlyTouchStayWithTheirOwnPieces) {
  // Fine balls and coarse tets: some vertices are outside their own piece, and the other one's
  // boundary is nearer.
  const TriMesh one = ball_surface(1, 12);
  const TriMesh both = together(one, moved(one, {2.001, 0, 0}));
  TetrahedralizeOptions options;
  options.mode = FillMode::conforming;
  options.cells = 11;
  const Tetrahedralized made = tetrahedralize(both, options);
  ASSERT_EQ(made.report.pieces, 2);
  ASSERT_GT(made.embedding.outside, 0);
  EXPECT_LT(disagreement(made.mesh, made.embedding, embed(made.mesh, both)), 1e-8);
}

TEST(Embedding, BoxesSideBySideAreNotWeldedWhereTheyTouch) {
  TetMesh mesh = bar({1, 1, 1}, {3, 3, 3});
  const int nodes = mesh.node_count();
  const int tets = mesh.tet_count();
  TetMesh both;
  both.V.resize(2 * nodes, 3);
  both.V << mesh.V, (mesh.V.rowwise() + Eigen::RowVector3d(1, 0, 0));
  both.T.resize(2 * tets, 4);
  both.T << mesh.T, Tets(mesh.T.array() + nodes);
  const TriMesh box = box_surface({1, 1, 1}, {4, 4, 4});
  const Embedding bound = embed(both, together(box, moved(box, {1, 0, 0})));
  for (int v = 0; v < bound.vertex_count(); ++v) {
    EXPECT_EQ(bound.tets[v] < tets, v < box.vertex_count()) << v;
  }
}

TEST(Embedding, EveryVertexOfTheMeshItselfIsANode) {
  const TetMesh mesh = sphere(1, 4);
  const Embedding bound = embed(mesh, mesh.V);
  for (int v = 0; v < mesh.node_count(); ++v) {
    double largest = 0;
    int node = -1;
    for (int c = 0; c < 4; ++c) {
      if (bound.weights[4 * v + c] > largest) {
        largest = bound.weights[4 * v + c];
        node = bound.nodes[4 * v + c];
      }
    }
    EXPECT_EQ(node, v);
    EXPECT_NEAR(largest, 1, 1e-12);
  }
}

TEST(Embedding, RefusesNumbersThatAreNone) {
  const TetMesh mesh = bar({1, 1, 1}, {1, 1, 1});
  Positions vertices(1, 3);
  vertices << 0, std::numeric_limits<double>::infinity(), 0;
  EXPECT_THROW(embed(mesh, vertices), Error);
  EXPECT_THROW(embed(TetMesh{}, Positions(Positions::Zero(1, 3))), Error);
}

}  // namespace
}  // namespace limber
