#include "limber/mesh/netgen/volume_file.h"

#include <cctype>

#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"

namespace limber {

namespace {
bool is_keyword(std::string_view word) {
  return std::isalpha(static_cast<unsigned char>(word[0])) != 0;
}

void read_points(Scanner& scanner, RawTets& raw) {
  const std::size_t count = scanner.count("points", 6);  // "0 0 0\n"
  raw.coordinates.reserve(raw.coordinates.size() + 3 * count);
  for (std::size_t i = 0; i < 3 * count; ++i) raw.coordinates.push_back(scanner.number());
}

/// Each line: material, number of corners, corners from 1.
void read_elements(Scanner& scanner, RawTets& raw) {
  const std::size_t count = scanner.count("volume elements", 12);  // "1 4 1 2 3 4\n"
  raw.corners.reserve(raw.corners.size() + 4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const int material = scanner.region();
    const std::int64_t corners = scanner.integer();
    if (corners != 4) {
      raw.note_others("elements that are not four-node tets", true);
      scanner.line();
      continue;
    }
    for (int c = 0; c < 4; ++c) raw.corners.push_back(scanner.integer() - 1);
    raw.regions.push_back(material);
  }
}
}  // namespace

TetMesh read_netgen_volume(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  Scanner scanner(bytes, file_name, {.comment = '#'});
  RawTets raw;
  if (scanner.at_end() || scanner.peek() != "mesh3d") scanner.fail("not a Netgen volume mesh");
  bool ended = false;
  while (!ended && !scanner.at_end()) {
    const std::string_view keyword = scanner.word();
    if (keyword == "endmesh") {
      ended = true;
    } else if (keyword == "points") {
      read_points(scanner, raw);
    } else if (keyword == "volumeelements") {
      read_elements(scanner, raw);
    } else {
      while (!scanner.at_end() && !is_keyword(scanner.peek())) scanner.word();
    }
  }
  if (!ended) scanner.fail("the file ends before 'endmesh'");
  return finish(std::move(raw), file_name, notes);
}

}  // namespace limber
