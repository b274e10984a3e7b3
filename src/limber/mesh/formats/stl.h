// Stereolithography, ASCII and binary. Triangles stand alone there: corners at the very same place
// become one vertex, numbered by first appearance.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TriMesh read_stl(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
/// Binary.
std::string stl_text(const TriMesh& surface);

}  // namespace limber
