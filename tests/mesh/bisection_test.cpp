// Trees of halved tets: uniform meshes fit together, on meshes whose edges were never sorted for
// it.
#include "limber/mesh/bisection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "limber/core/error.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {
namespace {

/// Nodes moved by up to a tenth of the shortest edge, tets' corners turned about: no symmetry left.
TetMesh jumbled(TetMesh mesh) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> shift(-0.01, 0.01);
  for (Eigen::Index k = 0; k < mesh.V.size(); ++k) mesh.V.data()[k] += shift(random);
  for (int t = 0; t < mesh.tet_count(); t += 2) {
    const Eigen::Vector4i old = mesh.T.row(t).transpose();
    mesh.T.row(t) << old[1], old[2], old[0], old[3];  // an even permutation
  }
  return mesh;
}

double volume_of_tet(const TetMesh& mesh, int tet) {
  const auto corner = [&](int k) -> Vec3 { return mesh.V.row(mesh.T(tet, k)).transpose(); };
  return six_volumes(corner(0), corner(1), corner(2), corner(3)) / 6;
}

/// How many tets each face belongs to.
std::map<std::array<int, 3>, int> faces_of(const TetMesh& mesh) {
  std::map<std::array<int, 3>, int> faces;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int left_out = 0; left_out < 4; ++left_out) {
      std::array<int, 3> face{};
      for (int k = 0, at = 0; k < 4; ++k) {
        if (k != left_out) face[static_cast<std::size_t>(at++)] = mesh.T(t, k);
      }
      std::sort(face.begin(), face.end());
      ++faces[face];
    }
  }
  return faces;
}

int outer_faces(const TetMesh& mesh) {
  int count = 0;
  for (const auto& [face, tets] : faces_of(mesh)) {
    EXPECT_LE(tets, 2);
    if (tets == 1) ++count;
  }
  return count;
}

class Subdivided : public testing::TestWithParam<int> {
 protected:
  static TetMesh coarse() {
    switch (GetParam()) {
      case 0:
        return bar({1, 0.2, 0.2}, {5, 1, 1});
      case 1:
        return bar_five_tets({0.6, 0.4, 0.4}, {3, 2, 2});
      case 2:
        return jumbled(bar({0.6, 0.4, 0.4}, {3, 2, 2}));
      case 3:
        return jumbled(sphere(0.3, 1));
      default:
        return jumbled(cylinder(0.2, 0.6, 7, 3, 2));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Meshes, Subdivided, testing::Range(0, 5));

/// A level makes eight tets of one and four triangles of each face; were a node to hang, the faces
/// around it would have one tet each and count as outer ones.
TEST_P(Subdivided, LevelsFitTogetherWithoutHangingNodes) {
  const TetMesh mesh = coarse();
  const int outer = outer_faces(mesh);
  for (int levels = 1; levels <= 2; ++levels) {
    const TetTree tree(mesh, levels);
    EXPECT_EQ(tree.finest().tet_count(), mesh.tet_count() << (3 * levels));
    EXPECT_EQ(outer_faces(tree.finest()), outer << (2 * levels));
  }
}

TEST_P(Subdivided, EachHalfHasHalfTheVolumeAndTurnsTheSameWay) {
  const TetMesh mesh = coarse();
  const TetTree tree(mesh, 2);
  for (int t = 0; t < tree.finest().tet_count(); ++t) {
    const double expected = volume_of_tet(mesh, t >> tree.generations()) / 64;
    EXPECT_NEAR(volume_of_tet(tree.finest(), t), expected, 1e-9 * expected);  // coordinates have 16 digits
  }
}

TEST_P(Subdivided, NodesLieInTheMiddleOfTwoOlderOnesAndAreThereOnce) {
  const TetMesh mesh = coarse();
  const TetTree tree(mesh, 2);
  std::set<std::array<std::int32_t, 2>> all;
  for (int node = tree.coarse_nodes(); node < tree.finest().node_count(); ++node) {
    EXPECT_LT(tree.ends(node)[0], tree.ends(node)[1]);
    EXPECT_LT(tree.ends(node)[1], node);
    EXPECT_TRUE(all.insert(tree.ends(node)).second);
  }
  EXPECT_EQ(tree.finest().V.topRows(mesh.node_count()), mesh.V);
}

/// Bisection makes finitely many classes of shapes (the paper's theorem 3.1), so quality does not
/// go on falling: volume over the cube of the longest edge, the worst of the third level against
/// that of the first.
TEST_P(Subdivided, ShapesDoNotGoOnGettingWorse) {
  const TetMesh mesh = coarse();
  const auto worst = [&](int levels) {
    const TetTree tree(mesh, levels);
    const TetMesh& fine = tree.finest();
    double least = 1;
    for (int t = 0; t < fine.tet_count(); ++t) {
      double longest = 0;
      for (const auto& [a, b] : kEdgesOfTet)
        longest = std::max(longest, (fine.V.row(fine.T(t, a)) - fine.V.row(fine.T(t, b))).norm());
      least = std::min(least, volume_of_tet(fine, t) / std::pow(longest, 3));
    }
    return least;
  };
  EXPECT_GT(worst(3), (1 - 1e-9) * worst(2));
}

TEST(TetTree, RegionsAreThoseOfTheCoarseTets) {
  TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  for (int t = 0; t < mesh.tet_count(); ++t) mesh.regions.push_back(t % 3);
  const TetTree tree(mesh, 1);
  for (int t = 0; t < tree.finest().tet_count(); ++t)
    EXPECT_EQ(tree.finest().region(t), (t / 8) % 3);
}

TEST(TetTree, RefusesWhatItCannotMake) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  EXPECT_THROW(TetTree(mesh, 0), Error);
  EXPECT_THROW(TetTree(mesh, TetTree::kMostLevels + 1), Error);
  EXPECT_THROW(TetTree(bar({1, 1, 1}, {12, 12, 12}), 3), Error);  // 5.3 million tets
}

}  // namespace
}  // namespace limber
