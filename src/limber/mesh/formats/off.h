// Object File Format: OFF with any of the prefixes ST, C and N (texture, colour, normal).
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TriMesh read_off(std::string_view bytes, const std::string& file_name, ReadNotes& notes);

}  // namespace limber
