#include "limber/mesh/formats/medit.h"

#include <array>

#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/mesh/formats/text_writer.h"

namespace limber {

namespace {
struct OtherElement {
  std::string_view keyword;
  const char* plural;
  bool solid;
};
constexpr std::array kOthers = std::to_array<OtherElement>({
    {"edges", "lines", false},
    {"triangles", "triangles", false},
    {"quadrilaterals", "quadrilaterals", false},
    {"trianglesp2", "second-order triangles", false},
    {"hexahedra", "hexahedra", true},
    {"prisms", "prisms", true},
    {"wedges", "prisms", true},
    {"pyramids", "pyramids", true},
    {"tetrahedrap2", "second-order tetrahedra", true},
    {"hexahedraq2", "second-order hexahedra", true},
});

bool is_keyword(std::string_view word) {
  return (word[0] >= 'A' && word[0] <= 'Z') || (word[0] >= 'a' && word[0] <= 'z');
}

void read_vertices(Scanner& scanner, RawTets& raw) {
  const std::size_t count = scanner.count("vertices", 8);  // "0 0 0 0\n"
  raw.coordinates.reserve(raw.coordinates.size() + 3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int c = 0; c < 3; ++c) raw.coordinates.push_back(scanner.number());
    scanner.number();  // the vertex's reference
  }
}

void read_tetrahedra(Scanner& scanner, RawTets& raw) {
  const std::size_t count = scanner.count("tetrahedra", 10);  // "1 2 3 4 0\n"
  raw.corners.reserve(raw.corners.size() + 4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int c = 0; c < 4; ++c) raw.corners.push_back(scanner.integer() - 1);
    raw.regions.push_back(scanner.region());
  }
}

/// Sections we do not use: everything up to the next keyword.
void skip_section(Scanner& scanner, const std::string& keyword, RawTets& raw) {
  for (const OtherElement& other : kOthers) {
    if (other.keyword != keyword) continue;
    const std::size_t count = scanner.count(other.plural, 4);
    if (count > 0) {
      raw.note_others(other.plural, other.solid, static_cast<std::int64_t>(count));
    }
  }
  while (!scanner.at_end() && !is_keyword(scanner.peek())) scanner.word();
}
}  // namespace

TetMesh read_medit(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  Scanner scanner(bytes, file_name, {.comment = '#'});
  RawTets raw;
  if (lower_case(scanner.peek()) != "meshversionformatted") {
    scanner.fail("not a MEDIT file, it begins with " + in_quotes(scanner.peek()));
  }
  while (!scanner.at_end()) {
    const std::string keyword = lower_case(scanner.word());
    if (keyword == "end") break;
    if (keyword == "dimension") {
      if (scanner.integer() != 3) scanner.fail("the mesh is not three-dimensional");
    } else if (keyword == "vertices") {
      read_vertices(scanner, raw);
    } else if (keyword == "tetrahedra") {
      read_tetrahedra(scanner, raw);
    } else {
      skip_section(scanner, keyword, raw);
    }
  }
  return finish(std::move(raw), file_name, notes);
}

std::string medit_text(const TetMesh& mesh) {
  TextWriter out;
  out << "MeshVersionFormatted 2\nDimension 3\nVertices\n" << mesh.node_count() << '\n';
  for (int i = 0; i < mesh.node_count(); ++i) {
    for (int c = 0; c < 3; ++c) out << mesh.V(i, c) << ' ';
    out << "0\n";
  }
  out << "Tetrahedra\n" << mesh.tet_count() << '\n';
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int c = 0; c < 4; ++c) out << mesh.T(t, c) + 1 << ' ';
    out << mesh.region(t) << '\n';
  }
  out << "End\n";
  return out.take();
}

}  // namespace limber
