// TetGen .node + .ele: two files of one name. The first attribute of a tet is its region.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TetMesh read_tetgen(std::string_view node_bytes, std::string_view ele_bytes,
                    const std::string& file_name, ReadNotes& notes);
/// Reads the pair that `path` (.node or .ele) belongs to.
TetMesh read_tetgen(const std::filesystem::path& path, ReadNotes& notes);

}  // namespace limber
