// Slices of binary files are what the readers of whole files find there.
#include "limber/mesh/formats/mesh_layout.h"

#include <gtest/gtest.h>

#include <map>

#include "limber/core/error.h"
#include "limber/mesh/formats/gmsh.h"
#include "limber/mesh/formats/text_writer.h"
#include "limber/mesh/formats/vtu.h"
#include "limber/mesh/sample_shapes.h"

namespace limber {
namespace {

TetMesh bar_of_two_regions() {
  TetMesh mesh = bar({1, 0.2, 0.2}, {5, 2, 2});
  mesh.regions.resize(mesh.tet_count());
  for (int t = 0; t < mesh.tet_count(); ++t) mesh.regions[t] = t % 7 < 3 ? 2 : 9;
  return mesh;
}

/// All slices of `pieces` put together again, tags as node numbers.
TetMesh from_slices(const std::string& bytes, const char* path, int pieces) {
  const MeshLayout layout = mesh_layout(bytes, path);
  std::map<std::int64_t, int> row_of_tag;
  std::vector<double> coordinates;
  std::vector<std::int64_t> corners;
  TetMesh mesh;
  for (int p = 0; p < pieces; ++p) {
    const auto cut = [&](std::int64_t count, int k) { return count * k / pieces; };
    const NodeSlice nodes = read_nodes(layout, bytes, path, cut(layout.node_count(), p),
                                       cut(layout.node_count(), p + 1));
    for (const std::int64_t tag : nodes.tags) {
      row_of_tag.emplace(tag, static_cast<int>(row_of_tag.size()));
    }
    coordinates.insert(coordinates.end(), nodes.coordinates.begin(), nodes.coordinates.end());
    const TetSlice tets =
        read_tets(layout, bytes, path, cut(layout.tet_count(), p), cut(layout.tet_count(), p + 1));
    corners.insert(corners.end(), tets.corners.begin(), tets.corners.end());
    mesh.regions.insert(mesh.regions.end(), tets.regions.begin(), tets.regions.end());
  }
  mesh.V = Eigen::Map<Positions>(coordinates.data(), layout.node_count(), 3);
  mesh.T.resize(layout.tet_count(), 4);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    mesh.T.data()[i] = row_of_tag.at(corners[i]);
  }
  return mesh;
}

void expect_same_mesh(const TetMesh& a, const TetMesh& b) {
  EXPECT_EQ(a.V, b.V);
  EXPECT_EQ(a.T, b.T);
  EXPECT_EQ(a.regions, b.regions);
}

TEST(MeshLayout, SlicesOfBothGmshVersionsGiveTheMesh) {
  const TetMesh mesh = bar_of_two_regions();
  for (const auto version : {GmshOptions::Version::v2_2, GmshOptions::Version::v4_1}) {
    const std::string bytes = gmsh_text(mesh, {version, true});
    for (const int pieces : {1, 3, 16}) {
      expect_same_mesh(from_slices(bytes, "bar.msh", pieces), mesh);
    }
  }
}

/// Gmsh's own way: a head for each element, node tags with gaps and in any order, a triangle
/// before.
std::string as_gmsh_writes(const TetMesh& mesh) {
  TextWriter out;
  out << "$MeshFormat\n2.2 1 8\n";
  out.raw<std::int32_t>(1);
  out << "\n$EndMeshFormat\n$Nodes\n" << mesh.node_count() << '\n';
  const auto tag = [&](int node) { return 10 + 3 * (mesh.node_count() - node); };
  for (int i = 0; i < mesh.node_count(); ++i) {
    out.raw<std::int32_t>(tag(i));
    for (int c = 0; c < 3; ++c) out.raw<double>(mesh.V(i, c));
  }
  out << "\n$EndNodes\n$Elements\n" << mesh.tet_count() + 1 << '\n';
  for (const int value : {2, 1, 2, 1, 5, 5, tag(0), tag(1), tag(2)}) out.raw<std::int32_t>(value);
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (const int value : {4, 1, 2, t + 2, mesh.region(t), 1}) out.raw<std::int32_t>(value);
    for (int c = 0; c < 4; ++c) out.raw<std::int32_t>(tag(mesh.T(t, c)));
  }
  out << "\n$EndElements\n";
  return out.take();
}

TEST(MeshLayout, ElementsWithAHeadEachAreOneRun) {
  const TetMesh mesh = bar_of_two_regions();
  const std::string bytes = as_gmsh_writes(mesh);
  EXPECT_EQ(mesh_layout(bytes, "bar.msh").tets.size(), 1u);
  expect_same_mesh(from_slices(bytes, "bar.msh", 4), mesh);
  ReadNotes notes;
  expect_same_mesh(from_slices(bytes, "bar.msh", 1), read_gmsh(bytes, "bar.msh", notes));
}

/// Raw appended arrays with a triangle between the tets.
std::string raw_vtu(const TetMesh& mesh) {
  TextWriter data;
  std::vector<std::size_t> offsets;
  const auto begin = [&](std::size_t bytes) {
    offsets.push_back(data.size());
    data.raw<std::uint64_t>(bytes);
  };
  const int cells = mesh.tet_count() + 1;
  const int middle = mesh.tet_count() / 2;
  begin(24u * mesh.node_count());
  for (int i = 0; i < mesh.node_count(); ++i) {
    for (int c = 0; c < 3; ++c) data.raw<double>(mesh.V(i, c));
  }
  begin(8u * (4 * mesh.tet_count() + 3));
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int c = 0; t == middle && c < 3; ++c) data.raw<std::int64_t>(c);
    for (int c = 0; c < 4; ++c) data.raw<std::int64_t>(mesh.T(t, c));
  }
  begin(8u * cells);
  for (int c = 0, end = 0; c < cells; ++c) data.raw<std::int64_t>(end += c == middle ? 3 : 4);
  begin(cells);
  for (int c = 0; c < cells; ++c) data.raw<std::uint8_t>(c == middle ? 5 : 10);
  begin(4u * cells);
  for (int c = 0; c < cells; ++c) {
    data.raw<std::int32_t>(c == middle ? 77 : mesh.region(c - (c > middle)));
  }
  const auto array = [&](const char* type, const char* name, int components, int k) {
    return std::string("<DataArray type=\"") + type + "\" Name=\"" + name +
           "\" NumberOfComponents=\"" + std::to_string(components) +
           "\" format=\"appended\" offset=\"" + std::to_string(offsets[k]) + "\"/>";
  };
  TextWriter out;
  out << "<?xml version=\"1.0\"?><VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
         "byte_order=\"LittleEndian\" header_type=\"UInt64\"><UnstructuredGrid><Piece "
         "NumberOfPoints=\""
      << mesh.node_count() << "\" NumberOfCells=\"" << cells << "\"><Points>"
      << array("Float64", "Points", 3, 0) << "</Points><Cells>"
      << array("Int64", "connectivity", 1, 1) << array("Int64", "offsets", 1, 2)
      << array("UInt8", "types", 1, 3) << "</Cells><CellData>" << array("Int32", "region", 1, 4)
      << "</CellData></Piece></UnstructuredGrid><AppendedData encoding=\"raw\">_" << data.take()
      << "</AppendedData></VTKFile>";
  return out.take();
}

TEST(MeshLayout, SlicesOfRawVtuGiveTheMesh) {
  const TetMesh mesh = bar_of_two_regions();
  const std::string bytes = raw_vtu(mesh);
  ReadNotes notes;
  expect_same_mesh(read_vtu(bytes, "bar.vtu", notes), mesh);
  for (const int pieces : {1, 5}) expect_same_mesh(from_slices(bytes, "bar.vtu", pieces), mesh);
}

TEST(MeshLayout, FilesCutShortAreRefusedWhereverTheyEnd) {
  const TetMesh mesh = bar_of_two_regions();
  for (const std::string& whole :
       {gmsh_text(mesh, {GmshOptions::Version::v2_2, true}),
        gmsh_text(mesh, {GmshOptions::Version::v4_1, true}), raw_vtu(mesh)}) {
    const char* const path = whole[0] == '$' ? "bar.msh" : "bar.vtu";
    for (std::size_t size = 0; size + 20 < whole.size(); size += 97) {
      EXPECT_THROW((void)mesh_layout(whole.substr(0, size), path), Error) << path << " " << size;
    }
  }
}

TEST(MeshLayout, TextAndEncodedFilesAreRefusedWithTheConversion) {
  const TetMesh mesh = bar_of_two_regions();
  for (const auto& [bytes, path] :
       {std::pair{gmsh_text(mesh), "big.msh"}, {vtu_text(mesh), "big.vtu"}}) {
    try {
      (void)mesh_layout(bytes, path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("limber convert"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace limber
