// Colours and pictures of materials, in from and out to OBJ + MTL and .glb.
#include "mesh/textured_files.h"

#include <cmath>

#include "limber/core/error.h"
#include "limber/mesh/formats/glb.h"
#include "limber/mesh/formats/mtl.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/write_mesh.h"
#include "mesh/glb_files.h"
#include "mesh/mesh_files.h"

namespace limber {
namespace {

class TexturesTest : public FolderTest {};

const std::vector<std::string> kNames = {"red paint", "map", "again", "nowhere"};

TEST_F(TexturesTest, ObjBringsColoursAndPicturesFromItsLibrary) {
  write_textured_cube(folder_);
  const TriMesh cube = read_surface(folder_ / "cube.obj");
  ASSERT_EQ(cube.material_names, kNames);
  ASSERT_EQ(cube.looks.size(), 4U);
  EXPECT_EQ(cube.vertex_count(), 10);
  ASSERT_TRUE(cube.looks[0].colour);
  EXPECT_EQ((*cube.looks[0].colour)[0], 1.0F);
  // IEC 61966-2-1: sRGB 0.5 is linear 0.21404.
  EXPECT_NEAR((*cube.looks[0].colour)[1], 0.21404F, 1e-5F);
  EXPECT_FALSE(cube.looks[0].image);
  ASSERT_TRUE(cube.looks[1].image);
  EXPECT_EQ(cube.looks[1].image->bytes, four_pixels_png());
  EXPECT_STREQ(cube.looks[1].image->mime_type, "image/png");
  EXPECT_EQ(*cube.looks[1].colour, (std::array<float, 3>{1, 1, 1}));  // not the library's black
  EXPECT_EQ(cube.looks[2].image->bytes, cube.looks[1].image->bytes);
  EXPECT_FALSE(cube.looks[3].colour || cube.looks[3].image);
}

TEST_F(TexturesTest, GlbKeepsOrderCoordinatesMaterialsAndPictures) {
  for (const bool fin : {false, true}) {
    write_textured_cube(folder_, fin);
    const TriMesh cube = read_surface(folder_ / "cube.obj");
    write_surface(folder_ / "cube.glb", cube);
    const TriMesh found = read_surface(folder_ / "cube.glb");
    EXPECT_EQ(found.V, cube.V);  // small whole numbers and halves: exact in single precision
    EXPECT_EQ(found.F, cube.F);
    EXPECT_EQ(found.corner_uv, cube.corner_uv);
    EXPECT_EQ(found.face_materials, cube.face_materials);
    EXPECT_EQ(found.material_names, cube.material_names);
    ASSERT_EQ(found.looks.size(), 4U);
    EXPECT_EQ(found.looks[0].colour, cube.looks[0].colour);
    EXPECT_EQ(found.looks[1].image->bytes, four_pixels_png());
    EXPECT_EQ(found.looks[1].image, found.looks[2].image);  // embedded once
    EXPECT_FALSE(found.looks[0].image || found.looks[3].image);
  }
}

TEST_F(TexturesTest, ObjIsWrittenWithALibraryThatGivesTheLooksBack) {
  write_textured_cube(folder_);
  TriMesh cube = read_surface(folder_ / "cube.obj");
  // Names that would begin an option, a comment or a new line must not.
  cube.material_names[0] = " red #1\n";
  const std::filesystem::path out = folder_ / "out";
  std::filesystem::create_directories(out);
  write_surface(out / "-o 1 #cube.obj", cube);
  const TriMesh found = read_surface(out / "-o 1 #cube.obj");
  EXPECT_EQ(found.material_names, (std::vector<std::string>{"red _1_", "map", "again", "nowhere"}));
  EXPECT_EQ(found.face_materials, cube.face_materials);
  ASSERT_EQ(found.looks.size(), 4U);
  for (int c = 0; c < 3; ++c) {
    // To sRGB and back in single precision: a few roundings of 6e-8, steepened up to 13 times.
    EXPECT_NEAR((*found.looks[0].colour)[c], (*cube.looks[0].colour)[c], 5e-6);
  }
  EXPECT_EQ(found.looks[1].image->bytes, four_pixels_png());
  EXPECT_EQ(found.looks[2].image, found.looks[1].image);  // one file for both
  EXPECT_FALSE(found.looks[3].colour || found.looks[3].image);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out), {}), 3);
}

TEST_F(TexturesTest, ObjWithoutLooksHasNoLibraryAndAFailureLeavesNothing) {
  write_textured_cube(folder_);
  TriMesh cube = read_surface(folder_ / "cube.obj");
  const std::filesystem::path out = folder_ / "out";
  std::filesystem::create_directories(out / "taken.obj");
  EXPECT_THROW(write_surface(out / "taken.obj", cube), Error);  // a folder of that name
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out), {}), 1);
  cube.looks.clear();
  write_surface(out / "plain.obj", cube);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out), {}), 2);
}

TEST_F(TexturesTest, MissingDamagedAndFarFilesLeaveMaterialsPlain) {
  const auto looks = [&](const std::string& image, const std::string& library = "a.mtl") {
    write_file(folder_ / "in" / "a.mtl", "newmtl map\nmap_Kd " + image + "\n");
    return read_looks({library}, {"map"}, folder_ / "in");
  };
  std::filesystem::create_directories(folder_ / "in");
  write_file(folder_ / "out.png", four_pixels_png());
  write_file(folder_ / "in" / "near.png", four_pixels_png());
  write_file(folder_ / "in" / "no.png", "GIF89a");
  EXPECT_TRUE(looks("near.png").at(0).image);
  EXPECT_TRUE(looks("sub/../near.png").at(0).image);
  EXPECT_TRUE(looks("C:\\textures\\near.png").at(0).image);  // found beside the OBJ
  EXPECT_TRUE(looks("../elsewhere/near.png").at(0).image);
  EXPECT_FALSE(looks("../out.png").at(0).image);
  EXPECT_FALSE(looks((folder_ / "out.png").string()).at(0).image);
  EXPECT_FALSE(looks("no.png").at(0).image);
  EXPECT_FALSE(looks("missing.png").at(0).image);
  EXPECT_FALSE(looks(".").at(0).image);
  EXPECT_FALSE(looks("").at(0).image);
  EXPECT_TRUE(looks("near.png", "missing.mtl").empty());
  EXPECT_TRUE(looks("near.png", "../in/a.mtl").at(0).image);  // its name, beside the OBJ
}

TEST_F(TexturesTest, LibrariesAndPicturesAreBounded) {
  write_file(folder_ / "a.mtl", "newmtl map\nmap_Kd large.png\n");
  write_file(folder_ / "large.png", four_pixels_png());
  std::filesystem::resize_file(folder_ / "large.png", kMostImageBytes + 1);  // sparse
  EXPECT_FALSE(read_looks({"a.mtl"}, {"map"}, folder_).at(0).image);
  std::filesystem::resize_file(folder_ / "a.mtl", std::size_t{64} << 20);
  EXPECT_TRUE(read_looks({"a.mtl"}, {"map"}, folder_).empty());
}

TEST(Mtl, SkipsWhatMakesNoSense) {
  const auto found = parse_mtl(
      "Kd 1 1 1\nmap_Kd early.png\nnewmtl a\nKd\nKd nan 0 0\nKd 1 0\nnewmtl b\nKd 0.25\n"
      "newmtl c\nKd 7 -3 1e999\nmap_Kd -s\nnewmtl c\nKd 2 -1 1\n");
  EXPECT_EQ(found.size(), 3U);
  EXPECT_FALSE(found.at("a").colour);
  EXPECT_EQ(found.at("b").colour->at(0), found.at("b").colour->at(2));
  EXPECT_EQ(found.at("c").colour, (std::array<float, 3>{1, 0, 1}));
  EXPECT_EQ(found.at("c").image, "");
}

/// A .glb whose material shows the picture `image` (a JSON object) with `extra` in its reference.
TriMesh pictured_glb(const std::string& image, const std::string& extra = "") {
  nlohmann::json json = two_squares_json();
  std::string buffer = two_squares_buffer();
  buffer.append((4 - buffer.size() % 4) % 4, '\0');
  json["bufferViews"].push_back(
      {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", four_pixels_png().size()}});
  json["materials"][0]["pbrMetallicRoughness"] = nlohmann::json::parse(
      R"({"baseColorFactor": [0.5, 2, 0, 1], "baseColorTexture": {"index": 0)" + extra + "}}");
  json["textures"] = nlohmann::json::parse(R"([{"source": 0}])");
  json["images"] = nlohmann::json::array({nlohmann::json::parse(image)});
  ReadNotes notes;
  return read_glb(glb_file(json.dump(), buffer + four_pixels_png()), "a.glb", notes);
}

TEST(GlbLooks, PicturesComeFromTheBufferOrFromDataUris) {
  const std::string uri =
      R"({"uri": "data:image/png;base64,)" + base64_encoded(four_pixels_png()) + "\"}";
  for (const std::string& image :
       {std::string(R"({"bufferView": 2, "mimeType": "image/png"})"), uri}) {
    const TriMesh found = pictured_glb(image);
    ASSERT_EQ(found.looks.size(), 1U);
    EXPECT_EQ(found.looks[0].colour, (std::array<float, 3>{0.5F, 1, 0}));
    ASSERT_TRUE(found.looks[0].image);
    EXPECT_EQ(found.looks[0].image->bytes, four_pixels_png());
  }
}

/// A material with every core map, factors, a sampler, an extension and extras.
nlohmann::json whole_material() {
  return nlohmann::json::parse(R"({
    "name": "glass", "doubleSided": true, "alphaMode": "BLEND", "emissiveFactor": [0.5, 0.25, 0],
    "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.25, 0.75], "metallicFactor": 0.125,
      "roughnessFactor": 0.375, "baseColorTexture": {"index": 0},
      "metallicRoughnessTexture": {"index": 1}},
    "normalTexture": {"index": 1, "scale": 0.5}, "occlusionTexture": {"index": 0, "strength": 0.25},
    "emissiveTexture": {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0]}}},
    "extensions": {"KHR_materials_transmission": {"transmissionFactor": 0.5,
      "transmissionTexture": {"index": 1}}, "KHR_materials_ior": {"ior": 1.25}},
    "extras": {"note": "kept", "fancyTexture": 7}})");
}

TEST_F(TexturesTest, GlbMaterialsComeOutAsTheyWentIn) {
  nlohmann::json json = two_squares_json();
  std::string buffer = two_squares_buffer();
  buffer.append((4 - buffer.size() % 4) % 4, '\0');
  const std::string other = four_pixels_png() + "behind";  // another picture of the same kind
  for (const std::string& picture : {four_pixels_png(), other}) {
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", picture.size()}});
    buffer += picture;
  }
  json["materials"][0] = whole_material();
  json["samplers"] = nlohmann::json::parse(R"([{"wrapS": 33071, "magFilter": 9728}])");
  json["textures"] = nlohmann::json::parse(R"([{"source": 0}, {"source": 1, "sampler": 0}])");
  json["images"] = nlohmann::json::parse(R"([{"bufferView": 2, "mimeType": "image/png"},
                                             {"bufferView": 3, "mimeType": "image/png"}])");
  ReadNotes notes;
  const TriMesh first = read_glb(glb_file(json.dump(), buffer), "a.glb", notes);
  EXPECT_TRUE(notes.remarks.empty());
  write_surface(folder_ / "whole.glb", first);
  const TriMesh again = read_surface(folder_ / "whole.glb");
  ASSERT_TRUE(again.looks.at(0).gltf);
  EXPECT_EQ(nlohmann::json::parse(first.looks[0].gltf->json), whole_material());
  EXPECT_EQ(nlohmann::json::parse(again.looks[0].gltf->json), whole_material());
  ASSERT_EQ(again.looks[0].gltf->textures.size(), 2U);
  EXPECT_EQ(again.looks[0].gltf->textures[0].image->bytes, four_pixels_png());
  EXPECT_EQ(again.looks[0].gltf->textures[1].image->bytes, other);
  EXPECT_EQ(again.looks[0].gltf->textures[0].sampler, "");
  EXPECT_EQ(nlohmann::json::parse(again.looks[0].gltf->textures[1].sampler), json["samplers"][0]);
  EXPECT_EQ(again.file.vertex, first.file.vertex);
  EXPECT_EQ(again.file.corners, first.file.corners);
}

TEST(GlbLooks, PicturesThatCannotBeReadAreLeftOut) {
  for (const char* const image :
       {R"({"bufferView": 9})", R"({"bufferView": 1})", R"({"bufferView": "x"})", "{}",
        R"({"uri": "near.png"})", R"({"uri": 3})", R"({"uri": "data:image/png;base64,?"})"}) {
    EXPECT_FALSE(pictured_glb(image).looks.at(0).image) << image;
  }
  EXPECT_FALSE(pictured_glb(R"({"bufferView": 2})", R"(, "texCoord": 1)").looks.at(0).image);
}

}  // namespace
}  // namespace limber
