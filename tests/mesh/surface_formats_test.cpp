// Surfaces as other programs write them.
#include <gtest/gtest.h>

#include "limber/mesh/checks.h"
#include "limber/mesh/formats/base64.h"
#include "limber/mesh/formats/glb.h"
#include "limber/mesh/formats/obj.h"
#include "limber/mesh/formats/off.h"
#include "limber/mesh/formats/ply.h"
#include "limber/mesh/formats/stl.h"
#include "mesh/glb_files.h"
#include "mesh/mesh_files.h"

namespace limber {
namespace {

using Remarks = std::vector<std::string>;

Triangles triangles(std::initializer_list<std::array<int, 3>> rows) {
  Triangles F(static_cast<Eigen::Index>(rows.size()), 3);
  Eigen::Index f = 0;
  for (const auto& row : rows) F.row(f++) << row[0], row[1], row[2];
  return F;
}

/// sRGB 188/255 is 0.5029 linear (IEC 61966-2-1); half a step of eight bits is 0.005 there.
constexpr float kLinear188 = 0.5029F;

TEST(SurfaceFormats, ObjPolygonsBecomeFansAndIndicesMayCountBackwards) {
  ReadNotes notes;
  const TriMesh surface = read_obj(
      "# a house\nmtllib x.mtl\no wall\nv 0 0 0\nv 1 0 0 1\nv 1 1 \\\n 0\nv 0 1 0\nvn 0 0 1\n"
      "f 1//1 2//1 3//1 4//1\nv 0.5 2 0\nf -3 -1 -2 # roof\nl 1 2\n",
      "a.obj", notes);
  EXPECT_EQ(surface.F, triangles({{0, 1, 2}, {0, 2, 3}, {2, 4, 3}}));
  EXPECT_EQ(surface.V.row(2), Eigen::RowVector3d(1, 1, 0));
  EXPECT_EQ(surface.uv.rows() + surface.corner_uv.rows() + surface.colours.rows(), 0);
  EXPECT_TRUE(surface.material_names.empty());
  EXPECT_EQ(notes.remarks, Remarks{"left out 1 lines"});
}

TEST(SurfaceFormats, ObjVerticesKeepTheirOrderAcrossSeams) {
  ReadNotes notes;
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  const TriMesh seam = read_obj(
      vertices + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\nf 1/1 2/2 3/3\nf 1/5 3/3 4/4\n",
      "a.obj", notes);
  EXPECT_EQ(seam.vertex_count(), 4);
  EXPECT_EQ(seam.uv.rows(), 0);
  EXPECT_EQ(seam.corner_uv.row(0), Eigen::RowVector2f(0, 0));
  EXPECT_EQ(seam.corner_uv.row(3), Eigen::RowVector2f(0.5F, 0.5F));
  // Two numbers for the same pair are no seam.
  const TriMesh smooth =
      read_obj(vertices + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0 0\nf 1/1 2/2 3/3\nf 1/5 3/3 4/4\n",
               "a.obj", notes);
  EXPECT_EQ(smooth.corner_uv.rows(), 0);
  EXPECT_EQ(smooth.uv.row(3), Eigen::RowVector2f(0, 1));
}

TEST(SurfaceFormats, ObjMaterialsAreKeptFaceByFace) {
  ReadNotes notes;
  const TriMesh surface = read_obj(
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nusemtl red wood\nf 1 2 4\nusemtl \nf 2 3 4\n"
      "usemtl red wood\nf 1 4 3\n",
      "a.obj", notes);
  EXPECT_EQ(surface.material_names, (std::vector<std::string>{"default", "red wood", ""}));
  EXPECT_EQ(surface.face_materials, (std::vector<int>{0, 1, 2, 1}));
}

TEST(SurfaceFormats, CollapsedTrianglesAreLeftOutWithARemark) {
  ReadNotes notes;
  const TriMesh surface =
      read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\nf 1 2 3\nf 3 1\n", "a.obj", notes);
  EXPECT_EQ(surface.F, triangles({{0, 1, 2}}));
  EXPECT_EQ(notes.remarks, (Remarks{"left out 1 faces of fewer than three corners",
                                    "left out 1 triangles that name a vertex twice"}));
}

TEST(SurfaceFormats, OffWithColoursNormalsAndTexture) {
  ReadNotes notes;
  const std::string faces = "4 0 1 2 3 255 0 0\n3 0 1 2\n";
  const TriMesh plain =
      read_off("OFF # by hand\n4 2 0\n\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n" + faces, "a.off", notes);
  EXPECT_EQ(plain.F, triangles({{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
  const TriMesh coloured = read_off(
      "NCOFF\n4 2 0\n0 0 0 0 0 1 255 188 0 255\n1 0 0 0 0 1 0 0 0 255\n1 1 0 0 0 1 0 0 0 255\n"
      "0 1 0 0 0 1 0 0 0 255\n" +
          faces,
      "a.off", notes);
  EXPECT_EQ(coloured.colours(0, 0), 1);
  EXPECT_NEAR(coloured.colours(0, 1), kLinear188, 1e-4);
  const TriMesh textured =
      read_off("STOFF\n4 2 0\n0 0 0 0.5 1\n1 0 0 0 0\n1 1 0 0 0\n0 1 0 0 0\n" + faces, "a", notes);
  EXPECT_EQ(textured.uv.row(0), Eigen::RowVector2f(0.5F, 1));
}

std::string ply_header(const std::string& format) {
  return "ply\nformat " + format +
         " 1.0\ncomment by hand\nelement vertex 4\n"
         "property float x\nproperty float y\nproperty float z\nproperty uchar red\n"
         "property uchar green\nproperty uchar blue\nelement edge 1\nproperty int vertex1\n"
         "property int vertex2\nelement face 1\nproperty uchar flags\n"
         "property list uchar short vertex_index\nend_header\n";
}

TEST(SurfaceFormats, PlyTextAndBothByteOrders) {
  std::vector<std::string> files = {ply_header("ascii") +
                                    "0 0 0 255 188 0\n1 0 0 0 0 0\n1 1 0 0 0 0\n0 1 0 0 0 0\n0 1\n"
                                    "7 4 0 1 2 3\n"};
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    std::string body;
    for (const std::array<float, 3>& p :
         {std::array<float, 3>{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}) {
      for (const float x : p) body += bytes_of(x, order);
      body += body.size() == 12 ? std::string("\xFF\xBC\0", 3) : std::string(3, '\0');
    }
    body += bytes_of(std::vector<std::int32_t>{0, 1}, order) + "\7\4" +
            bytes_of(std::vector<std::int16_t>{0, 1, 2, 3}, order);
    files.push_back(
        ply_header(order == std::endian::big ? "binary_big_endian" : "binary_little_endian") +
        body);
  }
  for (const std::string& file : files) {
    ReadNotes notes;
    const TriMesh surface = read_ply(file, "a.ply", notes);
    EXPECT_EQ(surface.F, triangles({{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(surface.V.row(2), Eigen::RowVector3d(1, 1, 0));
    EXPECT_EQ(surface.colours(0, 0), 1);
    EXPECT_NEAR(surface.colours(0, 1), kLinear188, 1e-4);
  }
}

const std::string kStlText =
    "solid wedge\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    "endloop\nendfacet\nfacet normal 0 0 1\n outer loop\n  vertex 1 0 0\n  vertex 1 1 0\n"
    "  vertex -0 1 0\n endloop\nendfacet\nendsolid wedge\n";

TEST(SurfaceFormats, PlyTriangleStripsAlternateAndEndAtMinusOne) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
      "property float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n";
  ReadNotes notes;
  // A strip of three triangles, one of one, and one too short to be any.
  const TriMesh strips = read_ply(head + "12 0 1 2 3 4 -1 4 3 2 -1 0 1\n", "a.ply", notes);
  EXPECT_EQ(strips.F, triangles({{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 2}}));
}

TEST(SurfaceFormats, StlCornersAtOnePlaceAreOneVertex) {
  ReadNotes notes;
  const TriMesh text = read_stl(kStlText, "a.stl", notes);
  EXPECT_EQ(text.F, triangles({{0, 1, 2}, {1, 3, 2}}));  // 0 and -0 are one place
  // A binary file whose header begins like a text file's.
  std::string binary = "solid, but binary";
  binary.resize(80, ' ');
  binary += bytes_of(std::uint32_t{2});
  for (const std::vector<float>& t : {std::vector<float>{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0},
                                      {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0}}) {
    binary += bytes_of(t) + std::string(2, '\0');
  }
  EXPECT_EQ(read_stl(binary, "a.stl", notes).F, text.F);
}

TEST(SurfaceFormats, GlbAppliesTransformsAndMergesSeamsWithinAMesh) {
  ReadNotes notes;
  const TriMesh surface = read_glb(two_squares_glb(), "a.glb", notes);
  // Four vertices a square; the mirrored one is turned round to keep its front.
  EXPECT_EQ(surface.F, triangles({{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}}));
  EXPECT_EQ(surface.V.row(2), Eigen::RowVector3d(1, 1, 0));
  EXPECT_EQ(surface.V.row(6), Eigen::RowVector3d(-1, 1, 5));
  // glTF's v points down: 255 there is 0 here. Corner 3 lies across the seam, 51/255.
  EXPECT_EQ(surface.corner_uv.row(0), Eigen::RowVector2f(0, 0));
  EXPECT_EQ(surface.corner_uv.row(3), Eigen::RowVector2f(0.2F, 0));
  EXPECT_EQ(surface.material_names, std::vector<std::string>{"cloth"});
  EXPECT_EQ(surface.face_materials, (std::vector<int>{0, 0, 0, 0}));
}

TEST(SurfaceFormats, GlbRemembersItsOwnVerticesAcrossSeams) {
  ReadNotes notes;
  const TriMesh surface = read_glb(two_squares_glb(), "a.glb", notes);
  ASSERT_TRUE(surface.is_as_in_file());
  EXPECT_EQ(surface.file.vertex, (std::vector<std::int32_t>{0, 1, 2, 3, 0, 4, 5, 6, 7, 4}));
  EXPECT_EQ(surface.file.corners, triangles({{0, 1, 2}, {4, 2, 3}, {5, 7, 6}, {9, 8, 7}}));
  EXPECT_TRUE(surface.file.normal.empty());  // the file has none
}

TEST(SurfaceFormats, GltfMayKeepItsBufferAsADataUri) {
  nlohmann::json json = two_squares_json();
  json["buffers"][0]["uri"] =
      "data:application/octet-stream;base64," + base64_encoded(two_squares_buffer());
  ReadNotes notes;
  const TriMesh surface = read_glb(json.dump(), "a.gltf", notes);
  EXPECT_EQ(surface.V, read_glb(two_squares_glb(), "a.glb", notes).V);
}

TEST(SurfaceFormats, GlbStripsFansAndMatrices) {
  nlohmann::json json = two_squares_json();
  json["scenes"][0]["nodes"] = {0};
  // Columns: x becomes y, y becomes z, z becomes x; then moved by (7, 8, 9).
  json["nodes"][0]["matrix"] = {0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 7, 8, 9, 1};
  nlohmann::json& primitive = json["meshes"][0]["primitives"][0];
  primitive.erase("indices");
  ReadNotes notes;
  json["accessors"][0]["count"] = json["accessors"][1]["count"] = 4;
  primitive["mode"] = 6;
  const TriMesh fan = read_glb(glb_file(json.dump(), two_squares_buffer()), "a.glb", notes);
  EXPECT_EQ(fan.F, triangles({{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(fan.V.row(1), Eigen::RowVector3d(7, 9, 9));
  primitive["mode"] = 5;
  const TriMesh strip = read_glb(glb_file(json.dump(), two_squares_buffer()), "a.glb", notes);
  EXPECT_EQ(strip.F, triangles({{0, 1, 2}, {1, 3, 2}}));
}

}  // namespace
}  // namespace limber
