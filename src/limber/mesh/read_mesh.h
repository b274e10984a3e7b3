// Mesh files of every format Limber knows, chosen by the file's ending.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// What a reader mended or found odd.
struct ReadNotes {
  int turned_tets = 0;      ///< tets of negative volume, turned round
  int unused_nodes = 0;     ///< nodes (or vertices) of no element; they keep their numbers
  int duplicate_nodes = 0;  ///< nodes at the very place of an earlier one
  std::vector<std::string> remarks;
};

/// Reads .msh .mesh .vtk .vtu .veg .node/.ele. Nodes keep the file's order, counted from 0.
/// All tets have positive volume. Throws Error on anything wrong, in one line.
TetMesh read_tet_mesh(const std::filesystem::path& path, ReadNotes* notes = nullptr);

/// Reads .obj .ply .stl .off .glb. Polygons become fans of triangles.
TriMesh read_surface(const std::filesystem::path& path, ReadNotes* notes = nullptr);

std::variant<TetMesh, TriMesh> read_mesh(const std::filesystem::path& path,
                                         ReadNotes* notes = nullptr);

/// Whether the file's ending is one of the tet formats.
bool is_tet_format(const std::filesystem::path& path);

}  // namespace limber
