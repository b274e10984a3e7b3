// What a glTF file says about its surface survives packing into a baked body.
#include "limber/modes/surface_source.h"

#include <gtest/gtest.h>

#include <random>

#include "limber/core/error.h"
#include "limber/mesh/formats/glb.h"
#include "mesh/glb_files.h"
#include "mesh/textured_files.h"

namespace limber {
namespace {

/// Two squares with a material of two maps, one of them the base colour's.
TriMesh painted_squares() {
  nlohmann::json json = two_squares_json();
  std::string buffer = two_squares_buffer();
  buffer.append((4 - buffer.size() % 4) % 4, '\0');
  for (const std::string& picture : {four_pixels_png(), four_pixels_png() + "other"}) {
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", picture.size()}});
    buffer += picture;
  }
  json["materials"][0] = nlohmann::json::parse(R"({"name": "cloth", "emissiveFactor": [1, 0, 0],
    "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "normalTexture": {"index": 1}})");
  json["textures"] = nlohmann::json::parse(R"([{"source": 0}, {"source": 1}])");
  json["images"] = nlohmann::json::parse(R"([{"bufferView": 2}, {"bufferView": 3}])");
  ReadNotes notes;
  return read_glb(glb_file(json.dump(), buffer), "a.glb", notes);
}

/// The surface as a baked body has it before unpacking.
TriMesh bare(const TriMesh& surface) {
  TriMesh rest = surface;
  rest.file = {};
  for (SurfaceLook& look : rest.looks) look.gltf = nullptr;
  return rest;
}

TEST(SurfaceSource, ComesBackWhole) {
  const TriMesh surface = painted_squares();
  const std::vector<char> packed = packed_source(surface);
  TriMesh found = bare(surface);
  unpack_source(packed, found);
  EXPECT_EQ(found.file.vertex, surface.file.vertex);
  EXPECT_EQ(found.file.corners, surface.file.corners);
  ASSERT_TRUE(found.looks.at(0).gltf);
  EXPECT_EQ(found.looks[0].gltf->json, surface.looks[0].gltf->json);
  ASSERT_EQ(found.looks[0].gltf->textures.size(), 2U);
  for (int t = 0; t < 2; ++t) {
    EXPECT_EQ(found.looks[0].gltf->textures[t].image->bytes,
              surface.looks[0].gltf->textures[t].image->bytes);
  }
  // The base colour's picture is not stored a second time.
  const std::string text(packed.begin(), packed.end());
  EXPECT_EQ(text.find("\x89PNG"), text.rfind("\x89PNG"));
}

TEST(SurfaceSource, PlainSurfacesNeedNone) {
  EXPECT_TRUE(packed_source(bare(painted_squares())).empty());
}

TEST(SurfaceSource, DamagedBytesAreRefused) {
  const TriMesh surface = painted_squares();
  const std::vector<char> packed = packed_source(surface);
  std::mt19937 random(3);
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<char> damaged = packed;
    if (round % 2 == 0) {
      damaged.resize(random() % damaged.size());
    } else {
      for (int k = 0; k < 8; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    TriMesh found = bare(surface);
    try {
      unpack_source(damaged, found);
      for (const std::int32_t vertex : found.file.vertex) {
        EXPECT_TRUE(vertex >= 0 && vertex < found.vertex_count());
      }
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace limber
