// MEDIT .mesh, ASCII: Vertices and Tetrahedra; a tet's reference is its region.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TetMesh read_medit(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
std::string medit_text(const TetMesh& mesh);

}  // namespace limber
