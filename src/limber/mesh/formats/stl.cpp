#include "limber/mesh/formats/stl.h"

#include <Eigen/Geometry>

#include "limber/mesh/coincident.h"
#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/mesh/formats/text_writer.h"

namespace limber {

namespace {
constexpr std::size_t kHeader = 80;
constexpr std::size_t kTriangle = 50;  ///< normal and three corners in floats, two bytes more

bool begins_like_text(std::string_view bytes) {
  return lower_case(trimmed(bytes.substr(0, kHeader))).starts_with("solid");
}

/// Binary files may begin with "solid" too, so their size decides.
bool is_binary(std::string_view bytes) {
  if (bytes.size() < kHeader + 4) return false;
  Scanner scanner(bytes.substr(kHeader), "");
  const std::uint64_t triangles = scanner.raw<std::uint32_t>();
  if (bytes.size() == kHeader + 4 + triangles * kTriangle) return true;
  return !begins_like_text(bytes);
}

std::vector<double> read_binary(Scanner& scanner) {
  scanner.now_binary();
  scanner.take(kHeader);
  const auto triangles = scanner.raw<std::uint32_t>();
  scanner.check_room(triangles, "triangles", kTriangle);
  std::vector<double> corners;
  corners.reserve(std::size_t{9} * triangles);
  for (std::uint32_t t = 0; t < triangles; ++t) {
    scanner.take(12);  // the normal
    for (int i = 0; i < 9; ++i) corners.push_back(scanner.raw<float>());
    scanner.take(2);
  }
  return corners;
}

/// solid name, then facets: facet normal x y z, outer loop, vertex x y z thrice, endloop, endfacet
std::vector<double> read_text(Scanner& scanner) {
  std::vector<double> corners;
  scanner.line();
  while (!scanner.at_end()) {
    const std::string word = lower_case(scanner.word());
    if (word == "vertex") {
      for (int c = 0; c < 3; ++c) corners.push_back(scanner.number());
    } else if (word == "solid" || word == "endsolid") {
      scanner.line();
    } else if (word == "endloop" && corners.size() % 9 != 0) {
      scanner.fail("a facet does not have three corners");
    }
  }
  if (corners.size() % 9 != 0) scanner.fail("the file ends too early");
  return corners;
}

RawSurface merged(const std::vector<double>& corners) {
  const Positions positions =
      Eigen::Map<const Positions>(corners.data(), static_cast<Eigen::Index>(corners.size() / 3), 3);
  const std::vector<int> first = first_coincident(positions);
  RawSurface raw;
  std::vector<std::int64_t> vertex(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == static_cast<int>(i)) {
      vertex[i] = static_cast<std::int64_t>(raw.coordinates.size() / 3);
      raw.coordinates.insert(raw.coordinates.end(), &corners[3 * i], &corners[3 * i] + 3);
    } else {
      vertex[i] = vertex[first[i]];
    }
  }
  raw.corners = std::move(vertex);
  return raw;
}
}  // namespace

TriMesh read_stl(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  Scanner scanner(bytes, file_name);
  const bool binary = is_binary(bytes);
  if (!binary && !begins_like_text(bytes)) scanner.fail("not an STL file");
  return finish(merged(binary ? read_binary(scanner) : read_text(scanner)), file_name, notes);
}

std::string stl_text(const TriMesh& surface) {
  TextWriter out;
  std::string header = "Binary STL by Limber";  // must not begin with "solid"
  header.resize(kHeader, ' ');
  out << header;
  out.raw(static_cast<std::uint32_t>(surface.triangle_count()));
  for (int f = 0; f < surface.triangle_count(); ++f) {
    const Vec3 a = surface.V.row(surface.F(f, 0));
    const Vec3 b = surface.V.row(surface.F(f, 1));
    const Vec3 c = surface.V.row(surface.F(f, 2));
    for (const Vec3& vector : {Vec3((b - a).cross(c - a).normalized()), a, b, c}) {
      for (int i = 0; i < 3; ++i) out.raw(static_cast<float>(vector[i]));
    }
    out.raw(std::uint16_t{0});
  }
  return out.take();
}

}  // namespace limber
