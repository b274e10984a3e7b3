// Binary glTF 2.0. All meshes of the scene become one surface, nodes' transforms applied.
//
// glTF repeats vertices along texture seams and creases. Within one mesh those at the very same
// place become one vertex again, numbered by first appearance; seams are kept as corner_uv.
// Skins, morph targets, images, compression and external buffers are not read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TriMesh read_glb(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
/// Single precision; without normals, which viewers then take from the triangles.
void write_glb(const std::filesystem::path& path, const TriMesh& surface);

}  // namespace limber
