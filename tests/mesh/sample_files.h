// One small good file of each format and kind, with its reader.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "limber/core/file.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/formats/glb.h"
#include "limber/mesh/formats/gmsh.h"
#include "limber/mesh/formats/medit.h"
#include "limber/mesh/formats/obj.h"
#include "limber/mesh/formats/off.h"
#include "limber/mesh/formats/ply.h"
#include "limber/mesh/formats/stl.h"
#include "limber/mesh/formats/tetgen.h"
#include "limber/mesh/formats/veg.h"
#include "limber/mesh/formats/vtk.h"
#include "limber/mesh/formats/vtu.h"
#include "mesh/glb_files.h"
#include "mesh/mesh_files.h"
#include "mesh/textured_files.h"
#include "mesh/two_tets.h"

namespace limber {

struct SampleFile {
  std::string name;
  std::string bytes;
  /// Reads and checks; throws Error on anything wrong.
  std::function<void(const std::string& bytes)> read;
};

namespace sample_files_detail {
using TetReader = TetMesh (*)(std::string_view, const std::string&, ReadNotes&);
using SurfaceReader = TriMesh (*)(std::string_view, const std::string&, ReadNotes&);

template <typename Reader>
SampleFile sample(std::string name, std::string bytes, Reader reader) {
  return {name, std::move(bytes), [name, reader](const std::string& changed) {
            ReadNotes notes;
            check(reader(changed, name, notes));
          }};
}
}  // namespace sample_files_detail

inline std::vector<SampleFile> tet_files() {
  using sample_files_detail::sample;
  const auto tets = [](std::string name, std::string bytes, sample_files_detail::TetReader reader) {
    return sample(std::move(name), std::move(bytes), reader);
  };
  using Version = GmshOptions::Version;
  std::vector<SampleFile> files = {
      tets("gmsh 1", kTwoTetsGmsh1, read_gmsh),
      tets("gmsh 2", kTwoTetsGmsh2, read_gmsh),
      tets("gmsh 4", kTwoTetsGmsh4, read_gmsh),
      tets("gmsh 2 binary", gmsh_text(two_tets(), {Version::v2_2, true}), read_gmsh),
      tets("gmsh 4 binary", gmsh_text(two_tets(), {Version::v4_1, true}), read_gmsh),
      tets("medit", kTwoTetsMedit, read_medit),
      tets("vtk", kTwoTetsVtk, read_vtk),
      tets("vtk binary", two_tets_vtk_binary(), read_vtk),
      tets("veg", kTwoTetsVeg, read_veg),
  };
  for (const std::string format : {"ascii", "binary", "raw", "base64"}) {
    for (const bool compressed : {false, true}) {
      if (format == "ascii" && compressed) continue;
      files.push_back(tets("vtu " + format + (compressed ? " zlib" : ""),
                           VtuFile({format, compressed, compressed}).two_tets(), read_vtu));
    }
  }
  files.push_back({"node", kTwoTetsNode, [](const std::string& bytes) {
                     ReadNotes notes;
                     check(read_tetgen(bytes, kTwoTetsEle, "a", notes));
                   }});
  files.push_back({"ele", kTwoTetsEle, [](const std::string& bytes) {
                     ReadNotes notes;
                     check(read_tetgen(kTwoTetsNode, bytes, "a", notes));
                   }});
  return files;
}

/// The two squares with a picture behind their data, shown by their material.
inline std::string pictured_squares_glb() {
  nlohmann::json json = two_squares_json();
  std::string buffer = two_squares_buffer();
  buffer.append((4 - buffer.size() % 4) % 4, '\0');
  json["bufferViews"].push_back(
      {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", four_pixels_png().size()}});
  json["materials"][0]["pbrMetallicRoughness"] = {{"baseColorTexture", {{"index", 0}}}};
  json["textures"] = nlohmann::json::parse(R"([{"source": 0}])");
  json["images"] = nlohmann::json::parse(R"([{"bufferView": 2}])");
  return glb_file(json.dump(), buffer + four_pixels_png());
}

inline std::vector<SampleFile> surface_files() {
  using sample_files_detail::sample;
  const auto surface = [](std::string name, std::string bytes,
                          sample_files_detail::SurfaceReader reader) {
    return sample(std::move(name), std::move(bytes), reader);
  };
  const TriMesh painted = painted_tetrahedron();
  return {
      surface("obj", obj_text(painted), read_obj),
      surface("off", "COFF\n3 1 0\n0 0 0 1 0 0 1\n1 0 0 0 1 0 1\n0 1 0 0 0 1 1\n3 0 1 2\n",
              read_off),
      surface("ply", ply_text(painted), read_ply),
      surface("ply text",
              "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
              "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
              "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
              read_ply),
      surface("stl", stl_text(painted), read_stl),
      surface("stl text",
              "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
              "endloop\nendfacet\nendsolid a\n",
              read_stl),
      surface("glb", two_squares_glb(), read_glb),
      surface("glb with picture", pictured_squares_glb(), read_glb),
  };
}

}  // namespace limber
