// VTK's XML format, UnstructuredGrid: text, base64 or appended data, plain or zlib-compressed.
// Cell data named region, material or the like give the regions.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TetMesh read_vtu(std::string_view bytes, const std::string& file_name, ReadNotes& notes);

/// Little-endian base64, plain; regions as the cell array "region".
std::string vtu_text(const TetMesh& mesh);

}  // namespace limber
