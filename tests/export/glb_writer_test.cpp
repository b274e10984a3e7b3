// Animated .glb taken apart by a small parser of our own: what moves, what is shared, what is left
// out. Programs of others open the same files in tests/python/test_export_glb.py.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "limber/core/file.h"
#include "limber/mesh/read_mesh.h"
#include "mesh/textured_files.h"
#include "moving_bodies.h"
#include "test_folder.h"

namespace limber {
namespace {

using nlohmann::json;
using testing_support::lone_triangle;
using testing_support::Sample;
using testing_support::sample_of;
using testing_support::swaying;
using testing_support::TestFolder;

struct Glb {
  explicit Glb(const std::filesystem::path& path) : bytes(FileBytes(path).text()) {
    std::uint32_t json_size = 0;
    std::memcpy(&json_size, bytes.data() + 12, 4);
    document = json::parse(bytes.substr(20, json_size));
    binary = 20 + json_size + 8;
  }
  [[nodiscard]] std::vector<float> floats(int accessor) const {
    const json& a = document["accessors"][accessor];
    const json& view = document["bufferViews"][a["bufferView"].get<int>()];
    const std::size_t width = a["type"] == "SCALAR" ? 1 : a["type"] == "VEC2" ? 2 : 3;
    std::vector<float> values(a["count"].get<std::size_t>() * width);
    EXPECT_EQ(a["componentType"], 5126);
    EXPECT_EQ(view["byteLength"], 4 * values.size());
    std::memcpy(values.data(), bytes.data() + binary + view["byteOffset"].get<std::size_t>(),
                4 * values.size());
    return values;
  }
  [[nodiscard]] const json& primitive(int mesh, int number = 0) const {
    return document["meshes"][mesh]["primitives"][number];
  }

  std::string bytes;
  json document;
  std::size_t binary;
};

/// Frames of one body given by its surfaces.
Glb written(const std::filesystem::path& path, const AnimatedBody& body,
            const std::vector<Positions>& surfaces) {
  const auto writer = open_animation(path, {body}, 10);
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const BodyFrame frame{surfaces[i], {}, {}};
    writer->add_frame(0.1 * static_cast<double>(i), std::span(&frame, 1));
  }
  writer->finish();
  return Glb(path);
}

TEST(GlbWriter, BaseIsTheFirstFrameAndTargetsLeadFromItToTheOthers) {
  const TestFolder folder;
  const AnimatedBody leaf = lone_triangle("leaf");
  const Positions first = leaf.surface.V.array() + 1;
  const Positions second = leaf.surface.V.array() + 3;
  const Glb glb = written(folder / "a.glb", leaf, {first, second});
  EXPECT_EQ(glb.floats(glb.primitive(0)["attributes"]["POSITION"]),
            std::vector<float>(first.data(), first.data() + 9));
  ASSERT_EQ(glb.primitive(0)["targets"].size(), 1U);
  EXPECT_EQ(glb.floats(glb.primitive(0)["targets"][0]["POSITION"]), std::vector<float>(9, 2.0F));
}

TEST(GlbWriter, EachTimeTurnsItsOwnTargetFullyOn) {
  const TestFolder folder;
  const AnimatedBody leaf = lone_triangle("leaf");
  const Positions rest = leaf.surface.V;
  const Glb glb = written(folder / "film.glb", leaf,
                          {rest, rest.array() + 1, rest.array() + 2, rest.array() + 3});
  const json& animation = glb.document["animations"][0];
  EXPECT_EQ(animation["name"], "film");
  const json& sampler = animation["samplers"][0];
  EXPECT_EQ(sampler["interpolation"], "LINEAR");
  EXPECT_EQ(glb.floats(sampler["input"]), (std::vector<float>{0, 0.1F, 0.2F, 0.3F}));
  EXPECT_EQ(glb.floats(sampler["output"]),
            (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(animation["channels"][0]["target"], (json{{"node", 0}, {"path", "weights"}}));
}

TEST(GlbWriter, EqualFramesShareATarget) {
  const TestFolder folder;
  const AnimatedBody leaf = lone_triangle("leaf");
  const Positions rest = leaf.surface.V;
  const Positions up = rest.array() + 1;
  const Positions down = rest.array() - 1;
  const Glb glb = written(folder / "a.glb", leaf, {rest, up, up, rest, down});
  EXPECT_EQ(glb.primitive(0)["targets"].size(), 2U);
  EXPECT_EQ(glb.floats(glb.document["animations"][0]["samplers"][0]["output"]),
            (std::vector<float>{0, 0, 1, 0, 1, 0, 0, 0, 0, 1}));
}

TEST(GlbWriter, FewShapesShowAllFramesWithinTheAllowedError) {
  const TestFolder folder;
  const Sample bar = sample_of("bar", limber::bar({1, 0.2, 0.2}, {10, 2, 2}));
  for (const double allowed : {0.0, 1e-5}) {
    const auto writer =
        open_animation(folder / (allowed > 0 ? "small.glb" : "exact.glb"), {bar.body}, 60);
    writer->allow_error(allowed);
    for (int i = 0; i < 100; ++i) {
      writer->add_frame(i / 60.0, std::vector<BodyFrame>{swaying(bar, i / 60.0)});
    }
    writer->finish();
  }
  const Glb glb(folder / "small.glb");
  EXPECT_LT(8 * glb.bytes.size(), Glb(folder / "exact.glb").bytes.size());
  const json& primitive = glb.primitive(0);
  const std::size_t shapes = primitive["targets"].size();
  const auto weights = glb.floats(glb.document["animations"][0]["samplers"][0]["output"]);
  ASSERT_EQ(weights.size(), 100 * shapes);
  const auto base = glb.floats(primitive["attributes"]["POSITION"]);
  std::vector<std::vector<float>> targets;
  for (const json& target : primitive["targets"]) targets.push_back(glb.floats(target["POSITION"]));
  const double allowed = 1e-5 * std::sqrt(1 + 2 * 0.2 * 0.2);  // of the box around the bar
  for (const int frame : {7, 33, 99}) {
    const Positions expected = swaying(bar, frame / 60.0).surface;
    for (Eigen::Index v = 0; v < expected.rows(); ++v) {  // copies along creases follow these
      Eigen::RowVector3d shown;
      for (int c = 0; c < 3; ++c) {
        shown[c] = base[3 * v + c];
        for (std::size_t k = 0; k < shapes; ++k) {
          shown[c] += weights[frame * shapes + k] * targets[k][3 * v + c];
        }
      }
      EXPECT_LT((shown - expected.row(v)).norm(), allowed + 1e-6) << frame;
    }
  }
  const double told = glb.document["meshes"][0]["extras"]["largestErrorInMetres"];
  EXPECT_GT(told, 0);
  EXPECT_LT(told, allowed + 1e-6);
}

TEST(GlbWriter, BodyThatRestsHasNeitherTargetsNorAChannel) {
  const TestFolder folder;
  const AnimatedBody moving = lone_triangle("moving");
  const AnimatedBody resting = lone_triangle("resting");
  const auto writer = open_animation(folder / "a.glb", {resting, moving}, 10);
  for (int i = 0; i < 3; ++i) {
    BodyFrame frame{moving.surface.V.array() + i, {}, {}};
    writer->add_frame(i, std::vector<BodyFrame>{{resting.surface.V, {}, {}}, frame});
  }
  writer->finish();
  const Glb glb(folder / "a.glb");
  EXPECT_FALSE(glb.primitive(0).contains("targets"));
  EXPECT_EQ(glb.primitive(1)["targets"].size(), 2U);
  ASSERT_EQ(glb.document["animations"][0]["channels"].size(), 1U);
  EXPECT_EQ(glb.document["animations"][0]["channels"][0]["target"]["node"], 1);
  EXPECT_EQ(glb.document["nodes"][0]["name"], "resting");
  EXPECT_EQ(glb.document["scenes"][0]["nodes"], (json{0, 1}));
}

TEST(GlbWriter, NormalsFollowTheMotion) {
  const TestFolder folder;
  const Sample bar = sample_of("bar", limber::bar({1, 0.2, 0.2}, {10, 2, 2}));
  const auto writer = open_animation(folder / "a.glb", {bar.body}, 10);
  for (const double time : {0.0, 0.25}) {
    writer->add_frame(time, std::vector<BodyFrame>{swaying(bar, time)});
  }
  writer->finish();
  const Glb glb(folder / "a.glb");
  const json& primitive = glb.primitive(0);
  const auto base = glb.floats(primitive["attributes"]["NORMAL"]);
  const auto change = glb.floats(primitive["targets"][0]["NORMAL"]);
  const auto positions = glb.floats(primitive["attributes"]["POSITION"]);
  // At 0.25 s the curvature is 1/m: the end at x = 1 has turned by one radian about -z.
  int ends = 0;
  for (std::size_t i = 0; i < base.size(); i += 3) {
    if (positions[i] < 0.999F || base[i] < 0.999F) continue;
    ++ends;
    EXPECT_NEAR(base[i] + change[i], std::cos(1.0), 1e-5);
    EXPECT_NEAR(base[i + 1] + change[i + 1], -std::sin(1.0), 1e-5);
  }
  EXPECT_EQ(ends, 9);  // the nodes of the end, each with the normal of that side once
}

TEST(GlbWriter, OpenSurfacesShowBothSides) {
  const TestFolder folder;
  const AnimatedBody leaf = lone_triangle("leaf");
  const Glb open = written(folder / "open.glb", leaf, {leaf.surface.V});
  EXPECT_EQ(open.document["materials"][0]["doubleSided"], true);
  const AnimatedBody box = sample_of("box", bar({1, 1, 1}, {1, 1, 1})).body;
  const Glb closed = written(folder / "closed.glb", box, {box.surface.V});
  EXPECT_FALSE(closed.document["materials"][0].contains("doubleSided"));
}

TEST(GlbWriter, TrianglesOfAMaterialFormAPrimitive) {
  const TestFolder folder;
  AnimatedBody box = sample_of("box", bar({1, 1, 1}, {1, 1, 1})).body;
  box.surface.material_names = {"unused", "red", "blue"};
  box.surface.face_materials.assign(12, 2);
  box.surface.face_materials[5] = 1;
  const Glb glb = written(folder / "a.glb", box, {box.surface.V, box.surface.V.array() + 1});
  ASSERT_EQ(glb.document["meshes"][0]["primitives"].size(), 2U);
  const std::vector<std::pair<const char*, int>> expected = {{"red", 3}, {"blue", 33}};
  for (int i = 0; i < 2; ++i) {
    const json& primitive = glb.primitive(0, i);
    EXPECT_EQ(glb.document["materials"][primitive["material"].get<int>()]["name"],
              expected[i].first);
    EXPECT_EQ(glb.document["accessors"][primitive["indices"].get<int>()]["count"],
              expected[i].second);
    EXPECT_EQ(primitive["targets"].size(), 1U);
  }
}

TEST(GlbWriter, TextureCoordinatesPointDownAndColoursStayBetweenZeroAndOne) {
  const TestFolder folder;
  AnimatedBody leaf = lone_triangle("leaf");
  leaf.surface.uv.resize(3, 2);
  leaf.surface.uv << 0, 0, 1, 0, 0, 0.75F;
  leaf.surface.colours.resize(3, 3);
  leaf.surface.colours << 0, 0, 0, 0.5F, 0.5F, 0.5F, 2, -1, 1;
  const Glb glb = written(folder / "a.glb", leaf, {leaf.surface.V});
  const json& attributes = glb.primitive(0)["attributes"];
  EXPECT_EQ(glb.floats(attributes["TEXCOORD_0"]), (std::vector<float>{0, 1, 1, 1, 0, 0.25F}));
  EXPECT_EQ(glb.floats(attributes["COLOR_0"]),
            (std::vector<float>{0, 0, 0, 0.5F, 0.5F, 0.5F, 1, 0, 1}));
}

TEST(GlbWriter, TexturedSurfacesKeepOrderCoordinatesMaterialsAndPictures) {
  const TestFolder folder;
  for (const bool fin : {false, true}) {  // with it, four triangles meet in an edge
    write_textured_cube(folder / "", fin);
    AnimatedBody cube;
    cube.name = "cube";
    cube.surface = read_surface(folder / "cube.obj");
    const Positions moved = cube.surface.V * 2;
    const Glb glb = written(folder / "a.glb", cube, {cube.surface.V, moved});
    EXPECT_EQ(glb.document["images"].size(), 1U);  // shown by two materials
    EXPECT_EQ(glb.document["images"][0]["mimeType"], "image/png");
    const TriMesh found = read_surface(folder / "a.glb");
    // The reader joins what creases and seams split; the vertex that nothing uses stays as well.
    EXPECT_EQ(found.V, cube.surface.V);
    EXPECT_EQ(found.F, cube.surface.F);
    EXPECT_EQ(found.corner_uv, cube.surface.corner_uv);
    EXPECT_EQ(found.face_materials, cube.surface.face_materials);
    EXPECT_EQ(found.material_names, cube.surface.material_names);
    EXPECT_EQ(found.looks.at(0).colour, cube.surface.looks.at(0).colour);
    EXPECT_EQ(found.looks.at(1).image->bytes, four_pixels_png());
    EXPECT_EQ(found.looks.at(2).image->bytes, four_pixels_png());
  }
}

TEST(GlbWriter, BodiesThatWearTheSamePictureShareIt) {
  const TestFolder folder;
  write_textured_cube(folder / "");
  AnimatedBody a;
  a.name = "a";
  a.surface = read_surface(folder / "cube.obj");
  AnimatedBody b = a;
  b.name = "b";
  b.surface = read_surface(folder / "cube.obj");
  const auto writer = open_animation(folder / "a.glb", {a, b}, 10);
  const std::vector<BodyFrame> frame = {{a.surface.V, {}, {}}, {b.surface.V, {}, {}}};
  writer->add_frame(0, frame);
  writer->finish();
  const Glb glb(folder / "a.glb");
  EXPECT_EQ(glb.document["images"].size(), 1U);
  EXPECT_EQ(glb.document["materials"].size(), 8U);
}

TEST(GlbWriter, BoundsAreThoseOfTheNumbers) {
  const TestFolder folder;
  const AnimatedBody leaf = lone_triangle("leaf");
  const Positions moved = leaf.surface.V * 2.5;
  const Glb glb = written(folder / "a.glb", leaf, {leaf.surface.V, moved});
  const json& target =
      glb.document["accessors"][glb.primitive(0)["targets"][0]["POSITION"].get<int>()];
  EXPECT_EQ(target["min"], (json{0.0, 0.0, 0.0}));
  EXPECT_EQ(target["max"], (json{1.5, 1.5, 0.0}));
}

}  // namespace
}  // namespace limber
