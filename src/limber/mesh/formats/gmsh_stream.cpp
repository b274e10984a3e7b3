#include "limber/mesh/formats/gmsh_stream.h"

#include <algorithm>
#include <array>

namespace limber {

namespace {
// Gmsh's manual, "MSH file format".
constexpr auto kElementTypes = std::to_array<GmshElementType>({
    {1, 2, "lines", false},
    {2, 3, "triangles", false},
    {3, 4, "quadrilaterals", false},
    {4, 4, "tetrahedra", true},
    {5, 8, "hexahedra", true},
    {6, 6, "prisms", true},
    {7, 5, "pyramids", true},
    {8, 3, "second-order lines", false},
    {9, 6, "second-order triangles", false},
    {10, 9, "second-order quadrilaterals", false},
    {11, 10, "second-order tetrahedra", true},
    {12, 27, "second-order hexahedra", true},
    {13, 18, "second-order prisms", true},
    {14, 14, "second-order pyramids", true},
    {15, 1, "points", false},
    {16, 8, "second-order quadrilaterals", false},
    {17, 20, "second-order hexahedra", true},
    {18, 15, "second-order prisms", true},
    {19, 13, "second-order pyramids", true},
    {20, 9, "third-order triangles", false},
    {21, 10, "third-order triangles", false},
    {22, 12, "fourth-order triangles", false},
    {23, 15, "fourth-order triangles", false},
    {24, 15, "fifth-order triangles", false},
    {25, 21, "fifth-order triangles", false},
    {26, 4, "third-order lines", false},
    {27, 5, "fourth-order lines", false},
    {28, 6, "fifth-order lines", false},
    {29, 20, "third-order tetrahedra", true},
    {30, 35, "fourth-order tetrahedra", true},
    {31, 56, "fifth-order tetrahedra", true},
    {92, 64, "third-order hexahedra", true},
    {93, 125, "fourth-order hexahedra", true},
});

/// Tags may have gaps; a table this many times the node count is still cheap.
constexpr std::int64_t kDenseTagFactor = 8;
}  // namespace

const GmshElementType* gmsh_element_type(std::int64_t number) {
  const auto* const found =
      std::find_if(kElementTypes.begin(), kElementTypes.end(),
                   [&](const GmshElementType& type) { return type.number == number; });
  return found == kElementTypes.end() ? nullptr : found;
}

int gmsh_node_count(std::int64_t type, const Scanner& scanner) {
  const GmshElementType* const known = gmsh_element_type(type);
  if (known == nullptr) scanner.fail("element type " + std::to_string(type) + " is unknown");
  return known->nodes;
}

void note_gmsh_others(const std::map<std::int64_t, std::int64_t>& by_type, ElementCounts& counts) {
  for (const auto& [number, count] : by_type) {
    const GmshElementType* const type = gmsh_element_type(number);
    counts.note_others(type != nullptr ? type->plural : "elements of unknown type",
                       type == nullptr || type->solid, count);
  }
}

std::int64_t GmshStream::size() {
  const std::int64_t value =
      binary ? static_cast<std::int64_t>(scanner.raw<std::uint64_t>(order)) : scanner.integer();
  if (value < 0 || value > std::int64_t{1} << 53) scanner.fail("number out of range");
  return value;
}

std::int64_t GmshStream::count(std::string_view things, std::size_t bytes) {
  const std::int64_t value = size();
  check_room(value, things, bytes);
  return value;
}

void GmshStream::check_room(std::int64_t count, std::string_view things, std::size_t bytes) const {
  scanner.check_room(count, things, binary ? bytes : 2);  // as text, "1 " at least
}

void GmshMesh::add_node(std::int64_t tag, double x, double y, double z) {
  tags_.push_back(tag);
  raw_.coordinates.insert(raw_.coordinates.end(), {x, y, z});
}

void GmshMesh::end_nodes() {
  if (tags_.empty()) return;
  const auto [least, most] = std::minmax_element(tags_.begin(), tags_.end());
  first_tag_ = *least;
  const auto count = static_cast<std::int64_t>(tags_.size());
  const std::int64_t span = *most - *least + 1;
  const bool dense = span <= kDenseTagFactor * count;
  dense_rows_.assign(dense ? span : 0, -1);
  sparse_rows_.clear();
  for (std::int64_t row = 0; row < count; ++row) {
    const std::int64_t tag = tags_[row];
    if (row_of(tag) >= 0) scanner_.fail("node " + std::to_string(tag) + " is there twice");
    if (dense) {
      dense_rows_[tag - first_tag_] = static_cast<std::int32_t>(row);
    } else {
      sparse_rows_[tag] = row;
    }
  }
}

std::int64_t GmshMesh::row_of(std::int64_t tag) const {
  if (!dense_rows_.empty()) {
    const std::int64_t place = tag - first_tag_;
    const bool inside = place >= 0 && place < static_cast<std::int64_t>(dense_rows_.size());
    return inside ? dense_rows_[place] : -1;
  }
  const auto found = sparse_rows_.find(tag);
  return found == sparse_rows_.end() ? -1 : found->second;
}

void GmshMesh::add_tet(const std::array<std::int64_t, 4>& corners, std::int64_t region) {
  for (const std::int64_t tag : corners) {
    const std::int64_t row = row_of(tag);
    if (row < 0) scanner_.fail("a tet names node " + std::to_string(tag) + ", which is not there");
    raw_.corners.push_back(row);
  }
  if (region != static_cast<int>(region)) scanner_.fail("physical group out of range");
  raw_.regions.push_back(static_cast<int>(region));
}

RawTets GmshMesh::take() {
  note_gmsh_others(others_, raw_);
  return std::move(raw_);
}

std::string_view next_gmsh_section(Scanner& scanner) {
  while (!scanner.at_end()) {
    const std::string_view line = trimmed(scanner.line());
    if (line.starts_with('$')) return line.substr(1);
  }
  return {};
}

void skip_gmsh_section(Scanner& scanner, std::string_view name) {
  const std::string end = "$End" + std::string(name);
  if (!scanner.skip_past(end)) scanner.fail("section " + in_quotes(name) + " has no end");
}

void end_gmsh_section(Scanner& scanner, std::string_view name) {
  scanner.expect("$End" + std::string(name));
}

}  // namespace limber
