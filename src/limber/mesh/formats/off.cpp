#include "limber/mesh/formats/off.h"

#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"

namespace limber {

namespace {
/// What follows the position on a vertex line, by the header's letters.
struct OffHeader {
  bool normal = false;
  bool colour = false;
  bool texture = false;
};

OffHeader read_header(Scanner& scanner) {
  std::string_view word = scanner.word();
  if (!word.ends_with("OFF")) scanner.fail("not an OFF file, it begins with " + in_quotes(word));
  word.remove_suffix(3);
  OffHeader header;
  if (word.starts_with("ST")) {
    header.texture = true;
    word.remove_prefix(2);
  }
  for (const char letter : word) {
    if (letter == 'C') header.colour = true;
    if (letter == 'N') header.normal = true;
    if (letter != 'C' && letter != 'N') scanner.fail("OFF in other than three dimensions");
  }
  if (scanner.peek() == "BINARY") scanner.fail("binary OFF is not supported");
  return header;
}

std::vector<double> numbers_on_line(Scanner& scanner) {
  std::vector<double> numbers;
  while (scanner.more_on_line()) numbers.push_back(scanner.number());
  return numbers;
}

void read_vertices(Scanner& scanner, const OffHeader& header, std::size_t count, RawSurface& raw) {
  for (std::size_t v = 0; v < count; ++v) {
    for (int c = 0; c < 3; ++c) raw.coordinates.push_back(scanner.number());
    const std::vector<double> extra = numbers_on_line(scanner);
    const std::size_t colour = header.normal ? 3 : 0;
    const std::size_t needed = colour + (header.colour ? 3 : 0) + (header.texture ? 2 : 0);
    if (extra.size() < needed) scanner.fail("a vertex has too few numbers");
    if (header.colour) {
      for (int c = 0; c < 3; ++c) raw.colours.push_back(static_cast<float>(extra[colour + c]));
    }
    if (header.texture) {
      for (std::size_t c = extra.size() - 2; c < extra.size(); ++c) {
        raw.uv.push_back(static_cast<float>(extra[c]));
      }
    }
  }
}

/// Colours are 0..255 or 0..1, the format leaves it open.
void scale_colours(std::vector<float>& colours) {
  const bool bytes = std::any_of(colours.begin(), colours.end(), [](float c) { return c > 1; });
  for (float& c : colours) {
    c = linear_from_srgb(std::clamp(bytes ? c / 255 : c, 0.0F, 1.0F));
  }
}
}  // namespace

TriMesh read_off(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  Scanner scanner(bytes, file_name, {.comment = '#'});
  const OffHeader header = read_header(scanner);
  const std::size_t vertices = scanner.count("vertices", 6);  // "0 0 0\n"
  const std::size_t faces = scanner.count("faces", 2);        // "0\n"
  scanner.integer();                                          // edges, often 0
  RawSurface raw;
  read_vertices(scanner, header, vertices, raw);
  scale_colours(raw.colours);
  std::vector<std::int64_t> polygon;
  for (std::size_t f = 0; f < faces; ++f) {
    polygon.resize(scanner.count("corners", 2));
    for (std::int64_t& corner : polygon) corner = scanner.integer();
    scanner.line();  // a face's colour
    raw.add_polygon(polygon, header.texture ? polygon : std::vector<std::int64_t>{});
  }
  return finish(std::move(raw), file_name, notes);
}

}  // namespace limber
