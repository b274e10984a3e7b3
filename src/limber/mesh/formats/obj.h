// Wavefront OBJ: positions in the file's order, polygons, texture coordinates, materials by name.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TriMesh read_obj(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
std::string obj_text(const TriMesh& surface);

}  // namespace limber
