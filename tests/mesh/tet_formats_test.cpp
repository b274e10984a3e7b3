// Files as other programs write them.
#include <gtest/gtest.h>

#include "limber/core/file.h"
#include "limber/mesh/formats/gmsh.h"
#include "limber/mesh/formats/medit.h"
#include "limber/mesh/formats/tetgen.h"
#include "limber/mesh/formats/veg.h"
#include "limber/mesh/formats/vtk.h"
#include "limber/mesh/formats/vtu.h"
#include "mesh/mesh_files.h"
#include "mesh/two_tets.h"

namespace limber {
namespace {

using Remarks = std::vector<std::string>;

TEST(TetFormats, GmshNodesKeepTheFilesOrderWhateverTheirTags) {
  for (const std::string& file : {kTwoTetsGmsh1, kTwoTetsGmsh2}) {
    ReadNotes notes;
    expect_same(read_gmsh(file, "a.msh", notes), two_tets());
    EXPECT_EQ(notes.remarks, Remarks{"left out 1 points, 1 triangles"});
  }
}

TEST(TetFormats, GmshTagsMayBeScattered) {
  std::string file = kTwoTetsGmsh2;
  for (std::size_t at = file.find("20 "); at != file.npos; at = file.find("20 ", at + 12)) {
    file.replace(at, 2, "7000000000");
  }
  ReadNotes notes;
  expect_same(read_gmsh(file, "a.msh", notes), two_tets());
}

TEST(TetFormats, GmshVersion4TakesRegionsFromVolumes) {
  ReadNotes notes;
  expect_same(read_gmsh(kTwoTetsGmsh4, "a.msh", notes), two_tets());
  EXPECT_EQ(notes.remarks, Remarks{"left out 2 lines"});
}

TEST(TetFormats, GmshBinaryOfTheOtherByteOrder) {
  constexpr auto kBig = std::endian::big;
  const std::string head =
      "$MeshFormat\n2.2 1 8\n" + bytes_of(std::int32_t{1}, kBig) + "\n$EndMeshFormat\n";
  std::string nodes = "$Nodes\n5\n";
  const TetMesh mesh = two_tets();
  for (int i = 0; i < 5; ++i) {
    nodes += bytes_of(std::int32_t{i + 1}, kBig);
    for (int c = 0; c < 3; ++c) nodes += bytes_of(mesh.V(i, c), kBig);
  }
  // A run of one point, then a run of two tets with one tag each.
  const std::vector<std::int32_t> elements = {15, 1, 1, 1, 9, 1, 4, 2, 1, 2, 3,
                                              1,  2, 3, 4, 3, 5, 2, 3, 4, 5};
  const std::string file =
      head + nodes + "\n$EndNodes\n$Elements\n3\n" + bytes_of(elements, kBig) + "\n$EndElements\n";
  ReadNotes notes;
  expect_same(read_gmsh(file, "a.msh", notes), mesh);
  EXPECT_EQ(notes.remarks, Remarks{"left out 1 points"});
}

TEST(TetFormats, MeditSkipsWhatItDoesNotNeed) {
  ReadNotes notes;
  expect_same(read_medit(kTwoTetsMedit, "a.mesh", notes), two_tets());
  EXPECT_EQ(notes.remarks, Remarks{"left out 2 triangles"});
}

TEST(TetFormats, LegacyVtkTextAndBinary) {
  ReadNotes notes;
  expect_same(read_vtk(kTwoTetsVtk, "a.vtk", notes), two_tets());
  EXPECT_EQ(notes.remarks, Remarks{"left out 1 triangles"});
  expect_same(read_vtk(two_tets_vtk_binary(), "a.vtk", notes), two_tets());
}

TEST(TetFormats, VtuInEveryKindOfStorage) {
  for (const std::string format : {"ascii", "binary", "raw", "base64"}) {
    for (const bool compressed : {false, true}) {
      for (const bool wide : {false, true}) {
        for (const std::endian order : {std::endian::little, std::endian::big}) {
          ReadNotes notes;
          const std::string file = VtuFile({format, compressed, wide, order}).two_tets();
          SCOPED_TRACE(format + (compressed ? " zlib" : "") + (wide ? " UInt64" : ""));
          expect_same(read_vtu(file, "a.vtu", notes), two_tets());
        }
      }
    }
  }
}

TEST(TetFormats, VtuPiecesAreJoined) {
  std::string file = VtuFile({"ascii"}).two_tets();
  const std::size_t begin = file.find("<Piece");
  const std::size_t end = file.find("</UnstructuredGrid>");
  const std::string piece = file.substr(begin, end - begin);
  file.insert(end, piece);
  ReadNotes notes;
  const TetMesh mesh = read_vtu(file, "a.vtu", notes);
  EXPECT_EQ(mesh.node_count(), 10);
  EXPECT_EQ(mesh.T.bottomRows(2), (two_tets().T.array() + 5).matrix());
  EXPECT_EQ(mesh.regions, (std::vector<int>{3, 5, 3, 5}));
  EXPECT_EQ(notes.duplicate_nodes, 5);
}

TEST(TetFormats, VegRegionsCountFromOneAndLaterOnesWin) {
  ReadNotes notes;
  expect_same(read_veg(kTwoTetsVeg, "a.veg", notes), two_tets());
}

TEST(TetFormats, TetgenCountsFromZeroOrOne) {
  ReadNotes notes;
  expect_same(read_tetgen(kTwoTetsNode, kTwoTetsEle, "a", notes), two_tets());
  const std::string nodes = "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n";
  const std::string elements = "2 4 1\n0 0 1 2 3 3.0\n1 1 2 3 4 5.0\n";
  expect_same(read_tetgen(nodes, elements, "a", notes), two_tets());
}

class TetgenPairTest : public FolderTest {};

TEST_F(TetgenPairTest, EitherFileOfThePairNamesTheMesh) {
  write_file(folder_ / "a.b.node", kTwoTetsNode);
  EXPECT_THROW(read_tet_mesh(folder_ / "a.b.node"), Error);  // the other one is missing
  write_file(folder_ / "a.b.ele", kTwoTetsEle);
  expect_same(read_tet_mesh(folder_ / "a.b.node"), two_tets());
  expect_same(read_tet_mesh(folder_ / "a.b.ele"), two_tets());
}

class EndingTest : public FolderTest {};

TEST_F(EndingTest, TheContentTellsTheKindsOfVtkApart) {
  write_file(folder_ / "a.vtk", VtuFile({"binary"}).two_tets());
  write_file(folder_ / "b.VTU", kTwoTetsVtk);
  expect_same(read_tet_mesh(folder_ / "a.vtk"), two_tets());
  expect_same(read_tet_mesh(folder_ / "b.VTU"), two_tets());
}

TEST_F(EndingTest, ReadMeshGivesTetsOrTriangles) {
  write_file(folder_ / "a.mesh", kTwoTetsMedit);
  write_file(folder_ / "b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_TRUE(is_tet_format("a.mesh") && is_tet_format("a.MSH") && is_tet_format("a.node"));
  EXPECT_FALSE(is_tet_format("b.obj") || is_tet_format("a") || is_tet_format("a.msh.gz"));
  EXPECT_TRUE(std::holds_alternative<TetMesh>(read_mesh(folder_ / "a.mesh")));
  EXPECT_TRUE(std::holds_alternative<TriMesh>(read_mesh(folder_ / "b.obj")));
}

TEST(TetFormats, TetsOfNegativeVolumeAreTurnedAndCounted) {
  std::string file = kTwoTetsMedit;
  file.replace(file.find("1 2 3 4 3"), 9, "2 1 3 4 3");
  ReadNotes notes;
  const TetMesh mesh = read_medit(file, "a.mesh", notes);
  EXPECT_EQ(notes.turned_tets, 1);
  EXPECT_EQ(mesh.T.row(0), Eigen::RowVector4i(1, 0, 3, 2));
  EXPECT_EQ(mesh.T.row(1), two_tets().T.row(1));
}

TEST(TetFormats, WindowsLineEndsAreWhiteSpace) {
  for (const std::string& text : {kTwoTetsMedit, kTwoTetsVtk, kTwoTetsVeg, kTwoTetsGmsh4}) {
    std::string file;
    for (const char c : text) file += c == '\n' ? std::string("\r\n") : std::string(1, c);
    ReadNotes notes;
    if (text == kTwoTetsMedit) expect_same(read_medit(file, "a", notes), two_tets());
    if (text == kTwoTetsVtk) expect_same(read_vtk(file, "a", notes), two_tets());
    if (text == kTwoTetsVeg) expect_same(read_veg(file, "a", notes), two_tets());
    if (text == kTwoTetsGmsh4) expect_same(read_gmsh(file, "a", notes), two_tets());
  }
}

TEST(TetFormats, VegMaterialsBelongToTheirRegions) {
  const std::string mesh =
      "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
      "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 5 2 3 4\n";
  ReadNotes one;
  read_veg(mesh + "*MATERIAL steel\nENu, 7800, 1e7, 0.45\n*REGION\nallElements, steel\n", "a.veg",
           one);
  ASSERT_EQ(one.materials.size(), 1U);
  EXPECT_EQ(one.materials.at(1), (RegionMaterial{1e7, 0.45, 7800}));
  ReadNotes two;
  read_veg(mesh +
               "*MATERIAL soft\nENU, 1000, 1e4, 0.3\n*MATERIAL hard\nENU, 2000, 1e9, 0.2\n"
               "*SET left\n1\n*SET right\n2\n*REGION\nleft, soft\n*REGION\nright, hard\n",
           "a.veg", two);
  EXPECT_EQ(two.materials.at(1).young, 1e4);
  EXPECT_EQ(two.materials.at(2).young, 1e9);
  const auto refusal = [&](const std::string& more) {
    ReadNotes notes;
    return error_of([&] { read_veg(mesh + more, "a.veg", notes); });
  };
  const auto expect_part = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), text.npos) << text;
  };
  expect_part(refusal("*REGION\nallElements, wood\n"), "names the material");
  expect_part(refusal("*MATERIAL m\nMOONEYRIVLIN, 1, 2, 3, 4, 5\n"), "does not know");
  expect_part(refusal("*MATERIAL m\nENU, 1000, -5, 0.3\n"), "cannot be");
}

TEST(TetFormats, VtkMaterialsOfCellsBecomeRegions) {
  const std::string mesh =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n"
      "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\nCELLS 2 10\n4 0 1 2 3\n4 4 1 3 2\nCELL_TYPES 2\n10 10\n"
      "CELL_DATA 2\n";
  const auto field = [](const std::string& name, const std::string& values) {
    return "SCALARS " + name + " double 1\nLOOKUP_TABLE default\n" + values + "\n";
  };
  ReadNotes notes;
  const TetMesh two = read_vtk(mesh + field("Young_Modulus", "1e5 1e7") +
                                   field("poisson", "0.3 0.3") + field("density", "1000 1000"),
                               "a.vtk", notes);
  EXPECT_EQ(two.regions, (std::vector<int>{1, 2}));
  EXPECT_EQ(notes.materials.at(1).young, 1e5);
  EXPECT_EQ(notes.materials.at(2).young, 1e7);
  ReadNotes alone;
  read_vtk(mesh + field("density", "1000 1000"), "a.vtk", alone);
  EXPECT_TRUE(alone.materials.empty());
  ASSERT_EQ(alone.remarks.size(), 1U);
  EXPECT_NE(alone.remarks[0].find("all three"), std::string::npos);
}

}  // namespace
}  // namespace limber
