#include "limber/mesh/formats/tetgen.h"

#include <cmath>
#include <limits>

#include "limber/core/file.h"
#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"

namespace limber {

namespace {
void skip_numbers(Scanner& scanner, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) scanner.number();
}

void check_order(const Scanner& scanner, std::int64_t number, std::int64_t wanted) {
  if (number == wanted) return;
  scanner.fail("number " + std::to_string(number) + " where " + std::to_string(wanted) +
               " was expected");
}

/// Attributes are real numbers; as region numbers we take whole ones.
int region_from(double attribute, const Scanner& scanner) {
  const bool in_range = std::abs(attribute) <= std::numeric_limits<int>::max();
  if (!in_range || attribute != std::round(attribute)) {
    scanner.fail("a tet's attribute is not a whole number");
  }
  return static_cast<int>(attribute);
}

/// Returns the number of the first node, 0 or 1.
std::int64_t read_nodes(Scanner& scanner, RawTets& raw) {
  const std::size_t count = scanner.count("nodes", 8);  // "1 0 0 0\n"
  if (scanner.integer() != 3) scanner.fail("the mesh is not three-dimensional");
  const auto attributes = static_cast<std::int64_t>(scanner.count("attributes", 1));
  const std::int64_t markers = scanner.integer() != 0 ? 1 : 0;
  std::int64_t first = 0;
  raw.coordinates.reserve(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t number = scanner.integer();
    if (i == 0) first = number;
    check_order(scanner, number, first + static_cast<std::int64_t>(i));
    for (int c = 0; c < 3; ++c) raw.coordinates.push_back(scanner.number());
    skip_numbers(scanner, attributes + markers);
  }
  return first;
}

void read_elements(Scanner& scanner, std::int64_t first_node, RawTets& raw) {
  const std::size_t count = scanner.count("tets", 10);  // "1 1 2 3 4\n"
  const std::int64_t nodes = scanner.integer();
  const auto attributes = static_cast<std::int64_t>(scanner.count("attributes", 1));
  if (nodes != 4) {
    raw.note_others(nodes == 10 ? "second-order tetrahedra" : "unknown elements", true,
                    static_cast<std::int64_t>(count));
    return;
  }
  std::int64_t first = 0;
  raw.corners.reserve(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t number = scanner.integer();
    if (i == 0) first = number;
    check_order(scanner, number, first + static_cast<std::int64_t>(i));
    for (int c = 0; c < 4; ++c) raw.corners.push_back(scanner.integer() - first_node);
    if (attributes > 0) raw.regions.push_back(region_from(scanner.number(), scanner));
    skip_numbers(scanner, attributes - 1);
  }
}
}  // namespace

TetMesh read_tetgen(std::string_view node_bytes, std::string_view ele_bytes,
                    const std::string& file_name, ReadNotes& notes) {
  RawTets raw;
  Scanner nodes(node_bytes, file_name + ".node", {.comment = '#'});
  const std::int64_t first_node = read_nodes(nodes, raw);
  Scanner elements(ele_bytes, file_name + ".ele", {.comment = '#'});
  read_elements(elements, first_node, raw);
  return finish(std::move(raw), file_name + ".ele", notes);
}

TetMesh read_tetgen(const std::filesystem::path& path, ReadNotes& notes) {
  std::filesystem::path base = path;
  base.replace_extension();
  const FileBytes nodes(base.string() + ".node");
  const FileBytes elements(base.string() + ".ele");
  return read_tetgen(nodes.text(), elements.text(), base.string(), notes);
}

}  // namespace limber
