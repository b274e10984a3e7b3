// What Limber writes, Limber reads back.
#include <cmath>

#include "limber/core/file.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/split_seams.h"
#include "limber/mesh/write_mesh.h"
#include "mesh/mesh_files.h"

namespace limber {
namespace {

using Version = GmshOptions::Version;

class RoundTripTest : public FolderTest {};

TEST_F(RoundTripTest, TetFormatsKeepEveryBit) {
  for (const TetMesh& mesh : {bar_of_two_regions(), sphere(0.3, 2)}) {
    for (const char* const name : {"a.msh", "b.mesh", "c.vtu", "D.VTU"}) {
      write_tet_mesh(folder_ / name, mesh);
      ReadNotes notes;
      expect_same(read_tet_mesh(folder_ / name, &notes), mesh);
      EXPECT_EQ(notes.turned_tets + notes.unused_nodes + notes.duplicate_nodes, 0);
      EXPECT_TRUE(notes.remarks.empty());
    }
  }
}

TEST_F(RoundTripTest, AllGmshKindsKeepEveryBit) {
  for (const Version version : {Version::v2_2, Version::v4_1}) {
    for (const bool binary : {false, true}) {
      for (const TetMesh& mesh : {bar_of_two_regions(), sphere(0.3, 2)}) {
        write_tet_mesh(folder_ / "a.msh", mesh, {version, binary});
        expect_same(read_tet_mesh(folder_ / "a.msh"), mesh);
      }
    }
  }
}

TEST_F(RoundTripTest, UnusedNodesKeepTheirPlace) {
  TetMesh mesh = bar({1, 1, 1}, {1, 1, 1});
  mesh.V.conservativeResize(10, 3);
  mesh.V.row(8) << 5, 5, 5;
  mesh.V.row(9) << 0, 0, 0;  // and at the place of node 0
  for (const char* const name : {"a.msh", "b.mesh", "c.vtu"}) {
    write_tet_mesh(folder_ / name, mesh);
    ReadNotes notes;
    expect_same(read_tet_mesh(folder_ / name, &notes), mesh);
    EXPECT_EQ(notes.unused_nodes, 2);
    EXPECT_EQ(notes.duplicate_nodes, 1);
  }
}

TEST_F(RoundTripTest, ObjKeepsSeamsColoursAndMaterials) {
  const TriMesh surface = painted_tetrahedron();
  write_surface(folder_ / "a.obj", surface);
  const TriMesh found = read_surface(folder_ / "a.obj");
  EXPECT_EQ(found.V, surface.V);
  EXPECT_EQ(found.F, surface.F);
  EXPECT_EQ(found.corner_uv, surface.corner_uv);
  EXPECT_EQ(found.uv.rows(), 0);
  EXPECT_EQ(found.face_materials, surface.face_materials);
  EXPECT_EQ(found.material_names, surface.material_names);
  // pow() there and back in single precision.
  EXPECT_LT((found.colours - surface.colours).cwiseAbs().maxCoeff(), 1e-6);
}

TEST_F(RoundTripTest, PlyKeepsSeamsAndColours) {
  const TriMesh surface = painted_tetrahedron();
  write_surface(folder_ / "a.ply", surface);
  const TriMesh found = read_surface(folder_ / "a.ply");
  EXPECT_EQ(found.V, surface.V);
  EXPECT_EQ(found.F, surface.F);
  EXPECT_EQ(found.corner_uv, surface.corner_uv);
  EXPECT_LT((found.colours - surface.colours).cwiseAbs().maxCoeff(), 1e-6);
}

TEST_F(RoundTripTest, GlbKeepsSeamsColoursMaterialsAndVertexOrder) {
  const TriMesh surface = painted_tetrahedron();
  write_surface(folder_ / "a.glb", surface);
  const TriMesh found = read_surface(folder_ / "a.glb");
  EXPECT_LT((found.V - surface.V).cwiseAbs().maxCoeff(), 6e-8);  // half a float's last bit
  EXPECT_EQ(found.F, surface.F);
  EXPECT_EQ(found.corner_uv, surface.corner_uv);  // these survive 1 - v exactly
  EXPECT_EQ(found.colours, surface.colours);
  EXPECT_EQ(found.face_materials, surface.face_materials);
  EXPECT_EQ(found.material_names, surface.material_names);
}

TEST_F(RoundTripTest, OneTextureCoordinateAVertexStaysOne) {
  TriMesh surface = painted_tetrahedron();
  surface.corner_uv.resize(0, 2);
  surface.uv.resize(4, 2);
  surface.uv << 0, 0.5F, 1, 0.25F, 0.5F, 1, 0.75F, 0;
  for (const char* const name : {"a.obj", "a.ply", "a.glb"}) {
    write_surface(folder_ / name, surface);
    const TriMesh found = read_surface(folder_ / name);
    EXPECT_EQ(found.uv, surface.uv) << name;
    EXPECT_EQ(found.corner_uv.rows(), 0) << name;
  }
}

TEST_F(RoundTripTest, StlMergesCornersBackIntoVertices) {
  const TriMesh surface = painted_tetrahedron();
  write_surface(folder_ / "a.stl", surface);
  const TriMesh found = read_surface(folder_ / "a.stl");
  ASSERT_EQ(found.vertex_count(), 4);
  const SurfaceTopology topology = surface_topology(found);
  EXPECT_TRUE(topology.closed && topology.manifold && topology.oriented);
  // Volume is cubic in coordinates that were rounded to half a float's last bit.
  EXPECT_NEAR(topology.volume, surface_topology(surface).volume, 1e-6);
}

TEST(SplitSeams, SplitsOnlyWhereTextureCoordinatesDiffer) {
  const TriMesh surface = painted_tetrahedron();
  const SeamSplit split = split_seams(surface);
  EXPECT_EQ(split.vertices, (std::vector<int>{0, 0, 1, 2, 3}));
  for (int corner = 0; corner < 12; ++corner) {
    const int vertex = split.triangles.data()[corner];
    EXPECT_EQ(split.vertices[vertex], surface.F.data()[corner]);
    EXPECT_EQ(split.uv.row(vertex), surface.corner_uv.row(corner));
  }
}

TEST_F(RoundTripTest, UnknownEndingsAndInvalidMeshesAreNotWritten) {
  EXPECT_NE(error_of([&] { write_tet_mesh(folder_ / "a.veg", bar_of_two_regions()); }).find(".vtu"),
            std::string::npos);
  EXPECT_NE(error_of([&] { write_surface(folder_ / "a.off", painted_tetrahedron()); }).find(".glb"),
            std::string::npos);
  EXPECT_THROW(write_tet_mesh(folder_ / "a.msh", TetMesh{}), Error);
  TriMesh broken = painted_tetrahedron();
  broken.V(1, 1) = std::nan("");
  EXPECT_THROW(write_surface(folder_ / "a.obj", broken), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace limber
