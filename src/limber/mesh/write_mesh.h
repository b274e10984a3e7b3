// Mesh files written whole or not at all, the format chosen by the file's ending.
#pragma once

#include <filesystem>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct GmshOptions {
  enum class Version { v2_2, v4_1 };
  Version version = Version::v4_1;
  bool binary = false;
};

/// Writes .msh, .mesh or .vtu. Numbers read back the same to the last bit.
void write_tet_mesh(const std::filesystem::path& path, const TetMesh& mesh,
                    const GmshOptions& gmsh = {});

/// Writes .obj, .ply, .stl or .glb; .stl and .glb hold single precision.
void write_surface(const std::filesystem::path& path, const TriMesh& surface);

}  // namespace limber
