// Stanford PLY, ASCII and binary of either byte order: positions, colours, texture coordinates at
// vertices (s t, u v) or at faces' corners (texcoord). Writes binary, little-endian.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TriMesh read_ply(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
/// Colours are rounded to eight bits; materials are left out.
std::string ply_text(const TriMesh& surface);

}  // namespace limber
