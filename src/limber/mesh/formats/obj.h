// Wavefront OBJ: positions in the file's order, polygons, texture coordinates, materials by name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TriMesh read_obj(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
/// `library` is what the `mtllib` line names, none when empty.
std::string obj_text(const TriMesh& surface, const std::string& library = {});
/// Materials with colours or pictures go to an .mtl and picture files beside it, all or nothing.
void write_obj(const std::filesystem::path& path, const TriMesh& surface);

}  // namespace limber
