// Legacy VTK, DATASET UNSTRUCTURED_GRID, ASCII and binary, file versions up to 5.1.
// Cell data named region, material or the like give the regions.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TetMesh read_vtk(std::string_view bytes, const std::string& file_name, ReadNotes& notes);

}  // namespace limber
