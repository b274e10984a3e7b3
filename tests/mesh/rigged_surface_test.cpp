// Skins, morph targets, instances and clips of glTF files against closed forms.
#include "limber/mesh/gltf/rigged_surface.h"

#include <gtest/gtest.h>

#include <random>

#include "limber/core/error.h"
#include "mesh/rigged_files.h"

namespace limber {
namespace {

RiggedSurface rig_of(const GlbParts& parts) {
  ReadNotes notes;
  return RiggedSurface(parts.file(), "rod.glb", notes);
}

std::string refusal_of(const GlbParts& parts) {
  try {
    const RiggedSurface rig = rig_of(parts);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Numbers of the file are exact in single precision but for √2/2, rounded to 3e-8.
constexpr double kRounding = 1e-7;

void expect_rows(const Positions& found, const std::vector<Vec3>& expected) {
  ASSERT_EQ(found.rows(), std::ssize(expected));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_LT((found.row(static_cast<Eigen::Index>(i)).transpose() - expected[i]).norm(), kRounding)
        << "vertex " << i << ": " << found.row(static_cast<Eigen::Index>(i));
  }
}

TEST(RiggedSurface, SkinAtRestStandsWhereItsJointsAreWhateverItsNodeSays) {
  expect_rows(rig_of(bent_rod()).surface().V,
              {{0, 10, 0}, {0, 10, 1}, {1, 10, 0}, {1, 10, 1}, {2, 10, 0}, {2, 10, 1}});
}

TEST(RiggedSurface, RestNeedNotBeTheBindPose) {
  GlbParts rod = bent_rod();
  rod.json["nodes"][3]["rotation"] = {0, 0, 1, 0};  // half a turn: the end comes back to x = 0
  const Positions V = rig_of(rod).surface().V;
  EXPECT_LT((V.row(4) - Eigen::RowVector3d(0, 10, 0)).norm(), kRounding);
}

TEST(RiggedSurface, ClipTurnsTheEndAndBlendsTheMiddle) {
  const RiggedSurface rig = rig_of(bent_rod());
  // The middle lies on joint 1's axis: a turn about it moves neither half.
  expect_rows(rig.sample(rig.clip("Rig|Bend"), 1),
              {{0, 10, 0}, {0, 10, 1}, {1, 10, 0}, {1, 10, 1}, {1, 11, 0}, {1, 11, 1}});
  // Half way at an even pace: 45°.
  const double c = std::numbers::sqrt2 / 2;
  const Positions half = rig.sample(rig.clip("Rig|Bend"), 0.5);
  EXPECT_LT((half.row(4) - Eigen::RowVector3d(1 + c, 10 + c, 0)).norm(), kRounding);
  // It stands still before and after.
  EXPECT_EQ(rig.sample(rig.clip("Rig|Bend"), -3), rig.surface().V);
  EXPECT_EQ(rig.sample(rig.clip("Rig|Bend"), 7), rig.sample(rig.clip("Rig|Bend"), 1));
}

TEST(RiggedSurface, SharedVertexIsTheMeanOfWhereItsJointsPutIt) {
  GlbParts rod = bent_rod();
  rod.json["nodes"][3]["translation"] = {1, 4, 0};
  // Half of (1,10) from joint 0 and half of (1,14) from joint 1.
  EXPECT_LT((rig_of(rod).surface().V.row(2) - Eigen::RowVector3d(1, 12, 0)).norm(), kRounding);
}

TEST(RiggedSurface, ClipsAreFoundWhateverTheCaseBehindABarAndByNumber) {
  const RiggedSurface rig = rig_of(bent_rod());
  for (const char* const name : {"Rig|Bend", "rig|bend", "bend", "Bend", "0"}) {
    EXPECT_EQ(&rig.clip(name), &rig.clips()[0]) << name;
  }
  try {
    (void)rig.clip("run");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("it has \"Rig|Bend\""), std::string::npos);
  }
  EXPECT_EQ(rig.clips()[0].last, 1);
  EXPECT_EQ(rig.clips()[0].frame_rate, 1);
}

TEST(RiggedSurface, StepsStayAndCubicsFollowHermite) {
  GlbParts rod = bent_rod();
  nlohmann::json& animation = rod.json["animations"][0];
  // x of joint 1 from 1 to 3 in a second, tangents 0 out and 6 in, and back to it as a step.
  const int values = rod.floats({0, 0, 0, 1, 0, 0, 0, 0, 0, 6, 0, 0, 3, 0, 0, 0, 0, 0}, "VEC3", 3);
  animation["samplers"][0]["output"] = values;
  animation["samplers"][0]["interpolation"] = "CUBICSPLINE";
  animation["channels"][0]["target"]["path"] = "translation";
  const RiggedSurface cubic = rig_of(rod);
  // Hermite at t = 1/2: (1 + 3)/2 + (0 - 6)/8 = 1.25; the end stands one further.
  EXPECT_NEAR(cubic.sample(cubic.clips()[0], 0.5)(4, 0), 2.25, kRounding);
  EXPECT_NEAR(cubic.sample(cubic.clips()[0], 1)(4, 0), 4, kRounding);
  animation["samplers"][0]["output"] = rod.floats({1, 0, 0, 3, 0, 0}, "VEC3", 3);
  animation["samplers"][0]["interpolation"] = "STEP";
  const RiggedSurface step = rig_of(rod);
  EXPECT_NEAR(step.sample(step.clips()[0], 0.99)(4, 0), 2, kRounding);
  EXPECT_NEAR(step.sample(step.clips()[0], 1)(4, 0), 4, kRounding);
}

TEST(RiggedSurface, MorphTargetsWeighInAtRestAndInClips) {
  GlbParts rod = bent_rod();
  const int lift = rod.floats(std::vector<float>(18, 2), "VEC3", 3);
  nlohmann::json& mesh = rod.json["meshes"][0];
  mesh["primitives"][0]["targets"] = {{{"POSITION", lift}}};
  mesh["weights"] = {0.5};
  EXPECT_LT((rig_of(rod).surface().V.row(0) - Eigen::RowVector3d(1, 11, 1)).norm(), kRounding);
  rod.json["nodes"][0]["weights"] = {0.25};  // a node's own weights win
  EXPECT_LT((rig_of(rod).surface().V.row(0) - Eigen::RowVector3d(.5, 10.5, .5)).norm(), kRounding);
  rod.json["animations"][0]["samplers"][0]["output"] = rod.floats({0, 1}, "SCALAR", 1);
  rod.json["animations"][0]["channels"][0]["target"] = {{"node", 0}, {"path", "weights"}};
  const RiggedSurface rig = rig_of(rod);
  EXPECT_LT((rig.sample(rig.clips()[0], 0.75).row(0) - Eigen::RowVector3d(1.5, 11.5, 1.5)).norm(),
            kRounding);
}

TEST(RiggedSurface, SparseOffsetsLandOnTheirVertices) {
  GlbParts rod = bent_rod();
  const int places = rod.add<std::uint16_t>({1, 4}, "SCALAR", 5123, 1);
  const int values = rod.floats({0, 0, 3, 0, 0, 5}, "VEC3", 3);
  nlohmann::json sparse = {
      {"count", 2},
      {"indices",
       {{"bufferView", rod.json["accessors"][places]["bufferView"]}, {"componentType", 5123}}},
      {"values", {{"bufferView", rod.json["accessors"][values]["bufferView"]}}}};
  rod.json["accessors"].push_back(
      {{"componentType", 5126}, {"count", 6}, {"type", "VEC3"}, {"sparse", sparse}});
  rod.json["meshes"][0]["primitives"][0]["targets"] = {
      {{"POSITION", rod.json["accessors"].size() - 1}}};
  rod.json["meshes"][0]["weights"] = {1};
  const Positions V = rig_of(rod).surface().V;
  EXPECT_EQ(V(0, 2), 0);
  EXPECT_EQ(V(1, 2), 4);
  EXPECT_EQ(V(4, 2), 5);
}

TEST(RiggedSurface, EveryInstanceIsThere) {
  GlbParts rod = bent_rod();
  nlohmann::json& node = rod.json["nodes"][0];
  node = {{"mesh", 0}};
  const int places = rod.floats({0, 0, 0, 10, 0, 0, 20, 0, 0}, "VEC3", 3);
  const int sizes = rod.floats({1, 1, 1, 2, 2, 2, -1, 1, 1}, "VEC3", 3);
  node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {{"TRANSLATION", places},
                                                                 {"SCALE", sizes}};
  const TriMesh surface = rig_of(rod).surface();
  ASSERT_EQ(surface.vertex_count(), 18);
  EXPECT_EQ(surface.V.row(10), Eigen::RowVector3d(14, 0, 0));
  EXPECT_EQ(surface.V.row(16), Eigen::RowVector3d(18, 0, 0));
  // The mirrored one keeps its front outside.
  EXPECT_EQ(surface.F.row(8), Eigen::RowVector3i(12, 14, 13));
}

TEST(RiggedSurface, HiddenNodesAreNotShown) {
  GlbParts rod = bent_rod();
  rod.json["nodes"].push_back({{"mesh", 0}, {"translation", {0, 0, 9}}});
  rod.json["scenes"][0]["nodes"] = {0, 1, 4};
  EXPECT_EQ(rig_of(rod).surface().vertex_count(), 12);
  rod.json["nodes"][4]["extensions"]["KHR_node_visibility"]["visible"] = false;
  EXPECT_EQ(rig_of(rod).surface().vertex_count(), 6);
}

TEST(RiggedSurface, VerticesThatMeetAtRestButPartLaterStayTwo) {
  GlbParts rod = bent_rod();
  // Vertices 2 and 4 at one place: 2 hangs on both joints, 4 on one.
  const int positions =
      rod.floats({0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 1}, "VEC3", 3);
  rod.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = positions;
  const TriMesh skinned = rig_of(rod).surface();
  EXPECT_EQ(skinned.vertex_count(), 6);
  rod.json["nodes"][0].erase("skin");
  rod.json["meshes"][0]["primitives"][0]["attributes"].erase("JOINTS_0");
  const TriMesh stiff = rig_of(rod).surface();
  EXPECT_EQ(stiff.vertex_count(), 4);
  EXPECT_EQ(stiff.file.vertex, (std::vector<std::int32_t>{0, 1, 2, 3, 2, 1}));
}

TEST(RiggedSurface, DamagedRigsAreRefusedByName) {
  GlbParts joint = bent_rod();
  joint.json["skins"][0]["joints"] = {2};
  EXPECT_NE(refusal_of(joint).find("names joint 1 of a skin that has 1"), std::string::npos);
  GlbParts binds = bent_rod();
  binds.json["skins"][0]["joints"] = {2, 3, 3};
  EXPECT_NE(refusal_of(binds).find("too few inverse bind matrices"), std::string::npos);
  GlbParts times = bent_rod();
  times.json["animations"][0]["samplers"][0]["input"] = times.floats({1, 1}, "SCALAR", 1);
  EXPECT_NE(refusal_of(times).find("times that do not ascend"), std::string::npos);
  GlbParts values = bent_rod();
  values.json["animations"][0]["samplers"][0]["output"] = values.floats({1, 1}, "SCALAR", 1);
  EXPECT_NE(refusal_of(values).find("wrong number of values"), std::string::npos);
  GlbParts node = bent_rod();
  node.json["animations"][0]["channels"][0]["target"]["node"] = 77;
  EXPECT_NE(refusal_of(node).find("names what is not there"), std::string::npos);
}

/// One number, string or list of the document, anywhere, becomes something else.
void damage(nlohmann::json& json, std::mt19937& random) {
  nlohmann::json flat = json.flatten();
  auto entry = flat.begin();
  std::advance(entry, std::uniform_int_distribution<std::size_t>(0, flat.size() - 1)(random));
  const std::vector<nlohmann::json> others = {
      0, 1, 2, 3, -1, 7, 1e300, 0.5, 1000, false, nullptr, "LINEAR", 65536, 16, 5126, "MAT4"};
  *entry = others[std::uniform_int_distribution<std::size_t>(0, others.size() - 1)(random)];
  json = flat.unflatten();
}

TEST(RiggedSurface, DamagedFilesAreRefusedOrGiveFiniteSurfaces) {
  std::mt19937 random(19);
  GlbParts whole = bent_rod();
  const int lift = whole.floats(std::vector<float>(18, 2), "VEC3", 3);
  whole.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", lift}}};
  whole.json["meshes"][0]["weights"] = {0.5};
  int refused = 0;
  int read = 0;
  for (int round = 0; round < 1500; ++round) {
    GlbParts parts = whole;
    for (int k = 0; k <= round % 3; ++k) damage(parts.json, random);
    if (round % 2 == 0) {
      const std::size_t at =
          std::uniform_int_distribution<std::size_t>(0, parts.buffer.size() - 1)(random);
      parts.buffer[at] = static_cast<char>(random());
    }
    try {
      const RiggedSurface rig = rig_of(parts);
      ++read;
      EXPECT_TRUE(rig.surface().V.allFinite());
      for (const GltfClip& clip : rig.clips()) {
        EXPECT_TRUE(rig.sample(clip, 0.3).allFinite());
        EXPECT_EQ(rig.sample(clip, 0.3).rows(), rig.surface().V.rows());
      }
    } catch (const Error&) {
      ++refused;
    }
  }
  // Both ways are taken often.
  EXPECT_GT(read, 50);
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace limber
