// VTK's XML format, UnstructuredGrid: text, base64 or appended data, plain or zlib-compressed.
// Cell data named region, material or the like give the regions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "limber/mesh/read_mesh.h"

namespace limber {

TetMesh read_vtu(std::string_view bytes, const std::string& file_name, ReadNotes& notes);

/// Numbers at the nodes: `values` holds `components` of them for each node.
struct NodeField {
  std::string name;
  int components = 1;
  std::span<const double> values;
};
/// Little-endian base64. `fields` are written as point data.
std::string vtu_text(const TetMesh& mesh, std::span<const NodeField> fields = {});

}  // namespace limber
