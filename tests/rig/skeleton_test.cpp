// Skeletons from BVH and glTF files, and the nodes that their bones lead, against closed forms.
#include "limber/rig/skeleton.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <random>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/rig/bone_leads.h"
#include "limber/rig/bvh.h"
#include "mesh/rigged_files.h"
#include "rig/arm_file.h"

namespace limber {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    (void)read_bvh(text, "arm.bvh");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Bvh, RestHasOffsetsAndNoTurns) {
  const auto arm = read_bvh(kArm, "arm.bvh");
  ASSERT_EQ(arm->bones().size(), 2U);
  EXPECT_EQ(arm->bones()[0].name, "left shoulder");
  EXPECT_EQ(arm->bone("elbow"), 1);
  EXPECT_EQ(arm->bones()[1].parent, 0);
  EXPECT_EQ(arm->bones()[0].tail, Vec3(2, 0, 0));
  EXPECT_EQ(arm->bones()[1].tail, Vec3(3, 0, 0));
  ASSERT_EQ(arm->clips().size(), 1U);
  EXPECT_EQ(arm->clips()[0].name, "arm");
  EXPECT_EQ(arm->clips()[0].last, 0.5);
  EXPECT_EQ(arm->clips()[0].frame_rate, 2);
}

TEST(Bvh, ChannelsTurnInTheirOrder) {
  const auto arm = read_bvh(kArm, "arm.bvh");
  const Eigen::Affine3d elbow = arm->frames(0, 0.5)[1];
  EXPECT_LT((elbow.translation() - Vec3(2, 5, 0)).norm(), 1e-12);
  // Rz(90°) Rx(90°): x goes to y, y to z (Rx) which Rz leaves, z to -y (Rx) and on to x.
  EXPECT_LT((elbow.linear() * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-12);
  EXPECT_LT((elbow.linear() * Vec3::UnitY() - Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_LT((elbow.linear() * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-12);
}

TEST(Bvh, BetweenFramesJointsMoveEvenlyAndBeyondTheyRest) {
  const auto arm = read_bvh(kArm, "arm.bvh", 0.01);  // from centimetres
  EXPECT_LT((arm->frames(0, 0.25)[0].translation() - Vec3(0, 0.025, 0)).norm(), 1e-15);
  const Eigen::AngleAxisd half(Mat3(arm->frames(0, 0.25)[1].linear()));
  const Eigen::AngleAxisd whole(Mat3(arm->frames(0, 0.5)[1].linear()));
  EXPECT_NEAR(half.angle(), whole.angle() / 2, 1e-12);
  EXPECT_EQ(arm->frames(0, 9)[1].matrix(), arm->frames(0, 0.5)[1].matrix());
  EXPECT_EQ(arm->frames(0, -9)[1].matrix(), arm->bones()[1].rest.matrix());
}

TEST(Bvh, DamagedFilesAreRefused) {
  EXPECT_NE(refusal_of("ROOT a"), "");
  EXPECT_NE(refusal_of(kArm.substr(0, kArm.size() - 5)), "");
  std::string counts = kArm;
  counts.replace(counts.find("Frames: 2"), 9, "Frames: 999999999");
  EXPECT_NE(refusal_of(counts), "");
  std::string channel = kArm;
  channel.replace(channel.find("Xrotation"), 9, "Wrotation");
  EXPECT_NE(refusal_of(channel).find("unknown channel"), std::string::npos);
}

TEST(Bvh, AnyCutOrChangedFileIsRefusedOrRead) {
  std::mt19937 random(7);
  int read = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = kArm;
    for (int k = 0; k <= round % 3; ++k) {
      text[random() % text.size()] = static_cast<char>("0129.-{}eE \nxJ"[random() % 14]);
    }
    if (round % 5 == 0) text.resize(random() % text.size());
    try {
      const auto arm = read_bvh(text, "arm.bvh");
      for (const Eigen::Affine3d& frame : arm->frames(0, 0.2)) {
        EXPECT_TRUE(frame.matrix().allFinite());
      }
      ++read;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(read, 50);
}

class GltfSkeletonTest : public testing::Test {
 protected:
  void SetUp() override { write_file(path_, bent_rod().file()); }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("limber_rod" + std::to_string(::getpid()) + ".glb");
};

TEST_F(GltfSkeletonTest, BonesAreTheJointsOfSkins) {
  const auto rod = read_skeleton(path_);
  ASSERT_EQ(rod->bones().size(), 2U);
  EXPECT_EQ(rod->bones()[0].name, "upper");
  EXPECT_EQ(rod->bones()[0].parent, -1);
  EXPECT_EQ(rod->bones()[1].parent, 0);
  EXPECT_EQ(rod->bones()[0].tail, Vec3(1, 10, 0));
  EXPECT_EQ(rod->bones()[1].tail, Vec3(1.5, 10, 0));  // a leaf: half its parent's length
}

TEST_F(GltfSkeletonTest, LedNodesTurnWithTheirBone) {
  const auto rod = read_skeleton(path_);
  Positions nodes(4, 3);
  nodes << 0.5, 10.1, 0, 1.4, 10, 0, 1.4, 10.2, 0, 9, 9, 9;
  const std::vector<int> bones = {0, 1};
  const std::vector<LedNode> led = nodes_near_bones(*rod, bones, nodes, {.radius = 0.25});
  ASSERT_EQ(led.size(), 3U);
  EXPECT_EQ(led[0].bone, 0);
  EXPECT_EQ(led[0].node, 0);
  EXPECT_EQ(led[1].bone, 1);
  const std::vector<double> times = {0, 1};
  const auto paths = led_paths(*rod, rod->clip("bend"), led, nodes, times);
  ASSERT_EQ(paths.size(), 3U);
  EXPECT_LT((paths[0].targets.row(1) - nodes.row(0)).norm(), 1e-12);  // the upper one stands
  // A quarter turn about z through (1, 10, 0); the file's √2/2 is rounded to single precision.
  EXPECT_LT((paths[1].targets.row(1) - Eigen::RowVector3d(1, 10.4, 0)).norm(), 1e-7);
  EXPECT_LT((paths[2].targets.row(1) - Eigen::RowVector3d(0.8, 10.4, 0)).norm(), 1e-7);
  EXPECT_LT((paths[2].targets.row(0) - nodes.row(2)).norm(), 1e-12);
}

TEST_F(GltfSkeletonTest, FewNodesSpreadOverTheBoneAreTaken) {
  const auto rod = read_skeleton(path_);
  Positions nodes(101, 3);
  for (int i = 0; i <= 100; ++i) nodes.row(i) << 0.01 * i, 10, 0;
  const std::vector<int> bones = {0};
  const auto led = nodes_near_bones(*rod, bones, nodes, {.radius = 0.1, .most_per_bone = 3});
  ASSERT_EQ(led.size(), 3U);
  EXPECT_EQ(led[0].node, 0);
  EXPECT_EQ(led[1].node, 50);
  EXPECT_EQ(led[2].node, 100);
}

TEST_F(GltfSkeletonTest, BoneWithoutNodesIsNamedWithTheDistance) {
  const auto rod = read_skeleton(path_);
  Positions nodes(1, 3);
  nodes << 0, 10.5, 0;
  const std::vector<int> bones = {0};
  try {
    (void)nodes_near_bones(*rod, bones, nodes, {.radius = 0.1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("\"upper\" leads no node"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("0.5 m"), std::string::npos);
  }
}

}  // namespace
}  // namespace limber
