// Netgen's own mesh file (.vol, text): volume elements and points, the rest passed over.
#pragma once

#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

/// Tets turned to positive volume; regions are Netgen's material numbers. Throws Error for damaged
/// files, for elements other than four-node tets, and when there is no element at all.
TetMesh read_netgen_volume(std::string_view bytes, const std::string& file_name, ReadNotes& notes);

}  // namespace limber
