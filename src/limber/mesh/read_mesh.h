// Mesh files of every format Limber knows, chosen by the file's ending.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// What a file says a region is made of; isotropic.
struct RegionMaterial {
  double young = 0;  ///< Pa
  double poisson = 0;
  double density = 0;  ///< kg/m³
  bool operator==(const RegionMaterial&) const = default;
};

/// What a reader mended, found odd, or found besides the mesh.
struct ReadNotes {
  int turned_tets = 0;      ///< tets of negative volume, turned round
  int unused_nodes = 0;     ///< nodes (or vertices) of no element; they keep their numbers
  int duplicate_nodes = 0;  ///< nodes at the very place of an earlier one
  std::map<int, RegionMaterial> materials;  ///< of a tet file, by region (.veg, .vtk, .vtu)
  std::vector<std::string> remarks;
};

/// Reads .msh .mesh .vtk .vtu .veg .node/.ele. Nodes keep the file's order, counted from 0.
/// All tets have positive volume. Throws Error on anything wrong, in one line.
TetMesh read_tet_mesh(const std::filesystem::path& path, ReadNotes* notes = nullptr);

/// Reads .obj .ply .stl .off .glb .gltf. Polygons become fans of triangles.
TriMesh read_surface(const std::filesystem::path& path, ReadNotes* notes = nullptr);

std::variant<TetMesh, TriMesh> read_mesh(const std::filesystem::path& path,
                                         ReadNotes* notes = nullptr);

/// Whether the file's ending is one of the tet formats.
bool is_tet_format(const std::filesystem::path& path);

}  // namespace limber
