// Vega .veg: *VERTICES, *ELEMENTS TET, *SET, *REGION. Regions count from 1 in the order of the
// *REGION lines; the file's material numbers are not used.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TetMesh read_veg(std::string_view bytes, const std::string& file_name, ReadNotes& notes);

}  // namespace limber
