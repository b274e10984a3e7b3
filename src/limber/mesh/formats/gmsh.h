// Gmsh .msh: reads versions 1 ($NOD, $ELM), 2 and 4.1, ASCII and binary; writes 2.2 and 4.1.
// A tet's region is its (first) physical group, 0 without one.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"
#include "limber/mesh/write_mesh.h"

namespace limber {

TetMesh read_gmsh(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
std::string gmsh_text(const TetMesh& mesh, const GmshOptions& options = {});

}  // namespace limber
