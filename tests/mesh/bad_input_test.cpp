// Every way a mesh file can be wrong gives one clear line.
#include "limber/mesh/read_mesh.h"
#include "mesh/sample_files.h"

namespace limber {
namespace {

/// `text` with the first `from` behind `after` made `to`.
std::string changed(std::string text, const std::string& from, const std::string& to,
                    const std::string& after = "") {
  const std::size_t start = text.find(after);
  EXPECT_NE(start, std::string::npos) << after;
  const std::size_t at = text.find(from, start + after.size());
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const SampleFile& named(const std::vector<SampleFile>& files, const std::string& name) {
  for (const SampleFile& file : files) {
    if (file.name == name) return file;
  }
  throw std::logic_error("no sample file " + name);
}

class BadInputTest : public FolderTest {
 protected:
  std::vector<SampleFile> files_ = [] {
    std::vector<SampleFile> all = tet_files();
    for (SampleFile& file : surface_files()) all.push_back(std::move(file));
    return all;
  }();

  /// The error of reading the sample `name` with one piece of text exchanged.
  std::string error_when(const std::string& name, const std::string& from, const std::string& to,
                         const std::string& after = "") {
    const SampleFile& file = named(files_, name);
    return error_of([&] { file.read(changed(file.bytes, from, to, after)); });
  }
};

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(BadInputTest, TheSamplesThemselvesAreGood) {
  for (const SampleFile& file : files_) EXPECT_NO_THROW(file.read(file.bytes)) << file.name;
}

TEST_F(BadInputTest, CutShortAnywhereNeverGivesABrokenMesh) {
  for (const SampleFile& file : files_) {
    for (std::size_t size = 0; size < file.bytes.size(); ++size) {
      try {
        file.read(file.bytes.substr(0, size));  // only the end may be missing without harm
      } catch (const Error&) {
      }
    }
  }
}

TEST_F(BadInputTest, CutAtAThirdIsAlwaysAnError) {
  for (const SampleFile& file : files_) {
    SCOPED_TRACE(file.name);
    EXPECT_FALSE(error_of([&] { file.read(file.bytes.substr(0, file.bytes.size() / 3)); }).empty());
  }
}

TEST_F(BadInputTest, EmptyFilesAndOtherFilesAreNamed) {
  for (const SampleFile& file : files_) {
    error_of([&] { file.read(""); });
    error_of([&] { file.read("\n\n"); });
    error_of([&] { file.read("Dear reader,\nthis is a letter.\n"); });
    error_of([&] { file.read(std::string(5000, '\0')); });
    error_of([&] { file.read(std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)); });
  }
}

TEST_F(BadInputTest, HugeCountsAreHeldAgainstTheFilesSize) {
  const std::string huge = "1000000000";
  for (const auto& [name, from, after] :
       std::vector<std::array<std::string, 3>>{{"gmsh 1", "5", "$NOD\n"},
                                               {"gmsh 1", "4", "$ELM\n"},
                                               {"gmsh 2", "5", "$Nodes\n"},
                                               {"gmsh 2", "4", "$Elements\n"},
                                               {"gmsh 2 binary", "2", "$Elements\n"},
                                               {"gmsh 4", "2 5", "$Nodes\n"},
                                               {"gmsh 4", "2", "3 20\n1 1 1 "},
                                               {"gmsh 4", "1", "$Entities\n"},
                                               {"medit", "5", "Vertices\n"},
                                               {"medit", "2", "Tetrahedra\n"},
                                               {"medit", "2", "Triangles\n"},
                                               {"vtk", "5", "POINTS "},
                                               {"vtk", "3", "CELLS "},
                                               {"vtk", "14", "CELLS 3 "},
                                               {"vtk", "3", "CELL_TYPES "},
                                               {"vtk binary", "5", "POINTS "},
                                               {"vtk binary", "8", "CELLS 3 "},
                                               {"vtu ascii", "5", "NumberOfPoints=\""},
                                               {"vtu ascii", "2", "NumberOfCells=\""},
                                               {"vtu binary zlib", "5", "NumberOfPoints=\""},
                                               {"veg", "5", "*VERTICES\n"},
                                               {"veg", "2", "TET\n"},
                                               {"node", "5", "hand\n"},
                                               {"ele", "2", ""},
                                               {"off", "3", "OFF\n"},
                                               {"off", "1", "OFF\n3 "},
                                               {"off", "3", "0 0 1 1\n"},
                                               {"ply", "4", "element vertex "},
                                               {"ply", "4", "element face "},
                                               {"ply text", "3", "element vertex "},
                                               {"ply text", "3", "0 1 0\n"},
                                               {"glb", "5", "\"count\":"}}) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(error_when(name, from, huge, after).empty());
  }
}

TEST_F(BadInputTest, WrongCountsAreErrors) {
  for (const std::string count : {"4", "6", "0", "-1", "1e3", "five"}) {
    for (const auto& [name, after] :
         std::vector<std::array<std::string, 2>>{{"gmsh 1", "$NOD\n"},
                                                 {"gmsh 2", "$Nodes\n"},
                                                 {"gmsh 4", "$Nodes\n2 "},
                                                 {"medit", "Vertices\n"},
                                                 {"vtk", "POINTS "},
                                                 {"vtu ascii", "NumberOfPoints=\""},
                                                 {"veg", "*VERTICES\n"},
                                                 {"node", "hand\n"}}) {
      SCOPED_TRACE(name + " " + count);
      EXPECT_FALSE(error_when(name, "5", count, after).empty());
    }
  }
}

TEST_F(BadInputTest, IndicesOutOfRangeAreNamed) {
  expect_part(error_when("gmsh 1", "20 3 4 5", "20 3 4 6", "$ELM"), "node 6, which is not there");
  expect_part(error_when("gmsh 2", "20 3 4 5", "20 3 4 6", "$Elements"), "node 6");
  expect_part(error_when("gmsh 4", "20 3 4 5", "20 3 4 6", "$Elements"), "node 6");
  expect_part(error_when("medit", "2 3 4 5 5", "2 3 4 6 5"), "tet 1 names a node");
  expect_part(error_when("medit", "2 3 4 5 5", "0 3 4 5 5"), "tet 1 names a node");
  expect_part(error_when("vtk", "4 1 2 3 4", "4 1 2 3 5"), "tet 1 names a node");
  expect_part(error_when("vtk", "4 1 2 3 4", "4 1 2 3 -1"), "tet 1 names a node");
  expect_part(error_when("vtu ascii", "2 3 4 <", "2 3 5 <"), "tet 1 names a node");
  expect_part(error_when("veg", "2 2 3 4 5", "2 2 3 4 6"), "tet 1 names a node");
  expect_part(error_when("ele", "2 2 3 4 5", "2 2 3 4 6"), "tet 1 names a node");
  expect_part(error_when("obj", "f 1/1", "f 9/1"), "triangle 0 names a vertex");
  expect_part(error_when("obj", "f 1/1", "f 1/9"), "triangle 0 names texture coordinates");
  expect_part(error_when("obj", "f 1/1", "f 0/1"), "index '0'");
  expect_part(error_when("obj", "f 1/1", "f -5/1"), "index '-5'");
  expect_part(error_when("obj", "f 1/1", "f 1x/1"), "index '1x'");
  expect_part(error_when("off", "3 0 1 2", "3 0 1 3"), "triangle 0 names a vertex");
  expect_part(error_when("ply text", "3 0 1 2", "3 0 1 3"), "triangle 0 names a vertex");
  expect_part(error_when("ply text", "3 0 1 2", "3 0 1 -3"), "cannot be");
  expect_part(error_when("veg", "*SET left\n1", "*SET left\n3"), "element 3");
}

/// In each text format, what stands before the coordinates 0 1 0 of node 2 and 1 1 1 of node 4.
struct NodeLines {
  std::string name;
  std::string before_2;
  std::string before_4;
};
const std::vector<NodeLines> kNodeLines = {
    {"gmsh 1", "\n3 ", "\n5 "},   {"gmsh 2", "\n3 ", "\n5 "},   {"gmsh 4", "5\n", "0 0 1\n"},
    {"medit", "1 0 0 1\n", "\n"}, {"vtk", "1 0 0\n", "0 0 1 "}, {"veg", "\n3 ", "\n5 "},
    {"node", "\n3 ", "\n5 "},     {"off", "0 1 0 1\n", ""},     {"ply text", "1 0 0\n", ""},
};

TEST_F(BadInputTest, CoordinatesThatAreNoNumbersAreNamed) {
  for (const std::string bad : {"nan", "inf", "-inf", "1e300"}) {
    for (const NodeLines& lines : kNodeLines) {
      SCOPED_TRACE(lines.name + " " + bad);
      const std::string error =
          error_when(lines.name, lines.before_2 + "0 1 0", lines.before_2 + "0 " + bad + " 0");
      expect_part(error, "2 has a coordinate that is not finite");
    }
  }
  for (const std::string bad : {"one", "1.2.3", "1e999", "0x10", "--1", "1,0"}) {
    expect_part(error_when("medit", "0 1 0 1", "0 " + bad + " 0 1"), "line 9");
  }
}

TEST_F(BadInputTest, NumbersTooSmallForADoubleAreZero) {
  const SampleFile& file = named(files_, "medit");
  EXPECT_NO_THROW(file.read(changed(file.bytes, "\n0 1 0", "\n1e-999 1 -1e-400")));
  EXPECT_NO_THROW(file.read(changed(file.bytes, "\n0 1 0", "\n+0 +1 0.")));
}

TEST_F(BadInputTest, FlatTetsAreRefusedByNumber) {
  for (const NodeLines& lines : kNodeLines) {
    if (lines.before_4.empty()) continue;  // a surface
    // x + y + z = 1 is the plane of the other three.
    expect_part(error_when(lines.name, lines.before_4 + "1 1 1", lines.before_4 + "1 -1 1"),
                "tet 1 is flat");
  }
  expect_part(error_when("medit", "1 2 3 4 3", "1 2 3 3 3"), "tet 0 is flat");
}

TEST_F(BadInputTest, MeshesWithoutTetsSayWhatTheyHaveInstead) {
  expect_part(error_when("medit", "Tetrahedra\n2\n1 2 3 4 3\n2 3 4 5 5", "Tetrahedra\n0"),
              "no tetrahedra, only 2 triangles");
  expect_part(error_when("vtk", "10\n10", "5\n5", "CELL_TYPES"), "no tetrahedra, only 3 triangles");
  expect_part(error_when("vtk", "10\n10", "24\n24", "CELL_TYPES"), "2 second-order tetrahedra");
  expect_part(error_when("vtk", "10\n10", "12\n10", "CELL_TYPES"), "1 hexahedra");
  expect_part(error_when("medit", "End", "Hexahedra 1 1 2 3 4 5 1 2 3 0\nEnd"), "1 hexahedra");
  expect_part(error_when("gmsh 2", "3 4 2 3 1 10 20 3 4", "3 5 2 3 1 10 20 3 4 5 5 5 5"),
              "1 hexahedra");
  expect_part(error_when("veg", "TET\n2 4", "CUBIC\n2 8"), "2 cubes");
  expect_part(error_when("ele", "2 4 1", "2 10 1"), "2 second-order tetrahedra");
  expect_part(error_of([&] { named(files_, "obj").read("v 0 0 0\nv 1 0 0\nv 0 1 0\n"); }),
              "no triangles");
}

TEST_F(BadInputTest, FilesOfTheRightKindButNotForUsSayWhy) {
  expect_part(error_when("gmsh 2", "2.2", "3.0"), "version '3.0'");
  expect_part(error_when("gmsh 4", "4.1", "4.0"), "version 4.1 or 2.2");
  expect_part(error_when("vtk", "UNSTRUCTURED_GRID", "POLYDATA"), "'POLYDATA'");
  expect_part(error_when("vtu ascii", "type=\"UnstructuredGrid\"", "type=\"PolyData\""),
              "PolyData");
  expect_part(error_when("vtu raw zlib", "vtkZLib", "vtkLZ4"), "vtkLZ4DataCompressor");
  expect_part(error_when("medit", "Dimension\n3", "Dimension\n2"), "three-dimensional");
  expect_part(error_when("node", "5 3 1 1", "5 2 1 1"), "three-dimensional");
  expect_part(error_when("veg", "*VERTICES", "*INCLUDE other.veg\n*VERTICES"), "another file");
  expect_part(error_when("veg", "right, soft", "wrong, soft"), "set 'wrong'");
  expect_part(error_when("gmsh 2", "20 1 0 0", "10 1 0 0"), "node 10 is there twice");
}

TEST_F(BadInputTest, GlbThatWeCannotReadSaysWhy) {
  const auto error_with = [](const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json json = two_squares_json();
    change(json);
    ReadNotes notes;
    return error_of([&] { read_glb(glb_file(json.dump(), two_squares_buffer()), "a.glb", notes); });
  };
  expect_part(error_with([](auto& json) { json["nodes"][2]["children"] = {1}; }), "no tree");
  expect_part(error_with([](auto& json) { json["buffers"][0]["uri"] = "a.bin"; }), "another file");
  expect_part(error_with([](auto& json) { json["accessors"][2]["count"] = 7; }), "past its data");
  expect_part(error_with([](auto& json) { json["accessors"][0]["count"] = 4; }), "does not fit");
  expect_part(error_with([](auto& json) {
                json["accessors"][0]["sparse"] = {{"count", 1}};
              }),
              "damaged sparse accessor");
  expect_part(error_with([](auto& json) {
                json["accessors"][0].erase("bufferView");
                json["accessors"][0]["count"] = 1'000'000;
              }),
              "more elements than the file has bytes");
  expect_part(error_with([](auto& json) { json["buffers"][0]["uri"] = "http://a/b.bin"; }),
              "elsewhere");
  expect_part(error_with([](auto& json) { json["scene"] = 4; }), "number 4 of its scenes");
  expect_part(error_with([](auto& json) { json["scene"] = "one"; }), "whole number");
  expect_part(
      error_with([](auto& json) { json["extensionsRequired"] = {"KHR_draco_mesh_compression"}; }),
      "without compression");
  expect_part(error_with([](auto& json) { json["meshes"][0]["primitives"][0]["mode"] = 1; }),
              "no triangles");
}

TEST_F(BadInputTest, ScenesOfModellingToolsAreRefusedWithTheWayRound) {
  for (const char* const name : {"a.fbx", "a.FBX", "a.blend", "a.usdc", "a.dae"}) {
    expect_part(error_of([&] { read_surface(folder_ / name); }), "export glTF");
  }
}

TEST_F(BadInputTest, GlbThatRepeatsItsMeshesEndlesslyIsRefused) {
  nlohmann::json json = two_squares_json();
  json["scenes"][0]["nodes"] = nlohmann::json::array();
  json["nodes"] = nlohmann::json::array();
  const std::string many(60'000, '\0');
  json["bufferViews"] = {{{"buffer", 0}, {"byteLength", many.size()}}};
  json["accessors"] = {
      {{"bufferView", 0}, {"componentType", 5126}, {"count", many.size() / 12}, {"type", "VEC3"}}};
  json["meshes"][0]["primitives"][0] = {{"attributes", {{"POSITION", 0}}}};
  for (int i = 0; i < 1000; ++i) {
    json["scenes"][0]["nodes"].push_back(i);
    json["nodes"].push_back({{"mesh", 0}, {"translation", {i, 0, 0}}});
  }
  ReadNotes notes;
  expect_part(error_of([&] { read_glb(glb_file(json.dump(), many), "a.glb", notes); }),
              "repeats its meshes too often");
}

TEST_F(BadInputTest, DirectoriesMissingFilesAndUnknownEndingsAreRefused) {
  for (const std::string ending : {".msh", ".mesh", ".vtk", ".vtu", ".veg", ".node", ".ele"}) {
    std::filesystem::create_directory(folder_ / ("a" + ending));
    error_of([&] { read_tet_mesh(folder_ / ("a" + ending)); });
    error_of([&] { read_tet_mesh(folder_ / ("missing" + ending)); });
  }
  for (const std::string ending : {".obj", ".ply", ".stl", ".off", ".glb", ".gltf"}) {
    std::filesystem::create_directory(folder_ / ("a" + ending));
    expect_part(error_of([&] { read_surface(folder_ / ("a" + ending)); }), "directory");
    expect_part(error_of([&] { read_surface(folder_ / ("missing" + ending)); }), "cannot open");
  }
  expect_part(error_of([&] { read_mesh(folder_ / "a.docx"); }), "'.docx'");
  expect_part(error_of([&] { read_mesh(folder_ / "a"); }), "''");
  expect_part(error_of([&] { read_tet_mesh(folder_ / "a.obj"); }), ".msh .mesh");
  expect_part(error_of([&] { read_surface(folder_ / "a.msh"); }), ".obj .ply");
}

TEST_F(BadInputTest, ErrorsNameTheFileAndTheLine) {
  write_file(folder_ / "broken.mesh", changed(kTwoTetsMedit, "0 1 0 1", "0 one 0 1"));
  const std::string error = error_of([&] { read_tet_mesh(folder_ / "broken.mesh"); });
  expect_part(error, "expected a number, found 'one'");
  expect_part(error, "broken.mesh, line 9");
}

}  // namespace
}  // namespace limber
