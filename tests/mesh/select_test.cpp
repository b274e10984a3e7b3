// The selection grammar: what each form picks, and the piece an error names.
#include "limber/mesh/select.h"

#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "limber/mesh/sample_shapes.h"

namespace limber {
namespace {

using Nodes = std::vector<int>;

/// Nodes at x = 0, 1, 2, 3; four a level: x + 4 (y + 2 z).
class SelectTest : public testing::Test {
 protected:
  TetMesh mesh_ = bar({3, 1, 1}, {3, 1, 1});

  void expect_error(std::string_view expression, const std::string& part) {
    try {
      select_nodes(mesh_, expression);
      ADD_FAILURE() << expression << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
};

TEST(Select, VerticesOfASurfaceByNumber) {
  EXPECT_EQ(select_vertices(" vertices:2, 0", 3), (std::vector<int>{2, 0}));
  EXPECT_FALSE(select_vertices("x<=0.1", 3).has_value());
  EXPECT_FALSE(select_vertices("nodes:0", 3).has_value());
  EXPECT_THROW((void)select_vertices("vertices:3", 3), Error);
  EXPECT_THROW((void)select_vertices("vertices:-1", 3), Error);
  EXPECT_THROW((void)select_vertices("vertices:", 3), Error);
}

TEST_F(SelectTest, ComparisonsPickTheirSide) {
  EXPECT_EQ(select_nodes(mesh_, "x<1"), (Nodes{0, 4, 8, 12}));
  EXPECT_EQ(select_nodes(mesh_, "x<=1"), (Nodes{0, 1, 4, 5, 8, 9, 12, 13}));
  EXPECT_EQ(select_nodes(mesh_, "x>2"), (Nodes{3, 7, 11, 15}));
  EXPECT_EQ(select_nodes(mesh_, "x>=2.0e0"), (Nodes{2, 3, 6, 7, 10, 11, 14, 15}));
  EXPECT_EQ(select_nodes(mesh_, "z > -1").size(), 16);
}

TEST_F(SelectTest, PiecesAreJoinedByAnd) {
  EXPECT_EQ(select_nodes(mesh_, "x>=1&&x<=2&&y<0.5&&z<0.5"), (Nodes{1, 2}));
  EXPECT_EQ(select_nodes(mesh_, " x >= 1 && nodes: 0, 3 ,5 "), (Nodes{3, 5}));
}

TEST_F(SelectTest, NumbersComeSortedAndOnce) {
  EXPECT_EQ(select_nodes(mesh_, "nodes:7,0,7,4"), (Nodes{0, 4, 7}));
}

TEST_F(SelectTest, RegionsPickTheNodesOfTheirTets) {
  EXPECT_EQ(select_nodes(mesh_, "region:0").size(), 16);
  mesh_.regions.assign(18, 1);
  std::fill(mesh_.regions.begin() + 12, mesh_.regions.end(), 2);  // the last cube
  EXPECT_EQ(select_nodes(mesh_, "region:2"), (Nodes{2, 3, 6, 7, 10, 11, 14, 15}));
}

TEST_F(SelectTest, BoxesAndSpheresIncludeTheirFaces) {
  EXPECT_EQ(select_nodes(mesh_, "box:1,0,0,2,0,1"), (Nodes{1, 2, 9, 10}));
  EXPECT_EQ(select_nodes(mesh_, "sphere:0,0,0,1"), (Nodes{0, 1, 4, 8}));
}

TEST_F(SelectTest, ErrorsNameTheOffendingPiece) {
  expect_error("", "cannot read this piece");
  expect_error("x<=0 && w>1", "'w>1'");
  expect_error("x<=0 &&", "cannot read this piece");
  expect_error("x=1", "expected <");
  expect_error("x<=one", "'one'");
  expect_error("x<=1.5abc", "'1.5abc'");
  expect_error("x<=nan", "not finite");
  expect_error("x<=", "cannot read the number");
  expect_error("nodes:", "cannot read the number");
  expect_error("nodes:1,,2", "cannot read the number");
  expect_error("nodes:1.5", "'1.5'");
  expect_error("nodes:16", "no node 16");
  expect_error("nodes:-1", "no node -1");
  expect_error("nodes:99999999999999", "cannot read the number");
  expect_error("region:7", "no region 7");
  expect_error("box:0,0,0,1,1", "needs 6 numbers, has 5");
  expect_error("box:1,0,0,0,1,1", "ends before it begins");
  expect_error("sphere:0,0,0,-1", "negative");
  expect_error("disc:0,0,0,1", "unknown kind 'disc'");
}

TEST_F(SelectTest, PickingNothingIsAnError) {
  expect_error("x>3", "picks no node");
  expect_error("x<1 && x>2", "picks no node");
  expect_error("sphere:9,9,9,1", "picks no node");
}

TEST_F(SelectTest, NearestNodeIgnoresUnusedOnes) {
  EXPECT_EQ(nearest_node(mesh_, {0.9, 0.1, 0.1}), 1);
  EXPECT_EQ(nearest_node(mesh_.V, {2.2, 2, 2}), 14);
  mesh_.V.conservativeResize(17, 3);
  mesh_.V.row(16) << 0.9, 0.1, 0.1;
  EXPECT_EQ(nearest_node(mesh_, {0.9, 0.1, 0.1}), 1);
  EXPECT_EQ(nearest_node(mesh_.V, {0.9, 0.1, 0.1}), 16);
}

}  // namespace
}  // namespace limber
