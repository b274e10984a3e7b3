// glTF 2.0, binary or as JSON. All meshes of the scene become one surface at rest, as placed by
// nodes, instances, skins and morph targets (see mesh/gltf/rigged_surface.h, which also plays
// clips).
//
// glTF repeats vertices along texture seams and creases. Within one mesh those that always stay
// together become one vertex again, numbered by first appearance; seams are kept as corner_uv.
// Compressed files are refused.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TriMesh read_glb(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
/// Single precision, with normals: smooth except along creases. A surface from a glTF file keeps
/// that file's vertices, their order, shading and materials.
void write_glb(const std::filesystem::path& path, const TriMesh& surface);

}  // namespace limber
