#include "limber/mesh/formats/ply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "limber/mesh/formats/number_type.h"
#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/text_writer.h"

namespace limber {

namespace {
struct PlyType {
  std::string_view name;
  std::string_view other_name;
  NumberType type;
};
constexpr auto kPlyTypes = std::to_array<PlyType>({
    {"char", "int8", {1, false, true}},
    {"uchar", "uint8", {1, false, false}},
    {"short", "int16", {2, false, true}},
    {"ushort", "uint16", {2, false, false}},
    {"int", "int32", {4, false, true}},
    {"uint", "uint32", {4, false, false}},
    {"float", "float32", {4, true, true}},
    {"double", "float64", {8, true, true}},
});

struct Property {
  std::string name;
  NumberType type;
  std::optional<NumberType> length_type;  ///< of lists
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;

  /// The place of the first property with one of these names, or -1.
  [[nodiscard]] int find(std::initializer_list<std::string_view> names) const {
    for (std::size_t i = 0; i < properties.size(); ++i) {
      if (std::find(names.begin(), names.end(), properties[i].name) != names.end()) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }
};

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& file_name) : scanner_(bytes, file_name) {}

  RawSurface read() {
    read_header();
    for (const Element& element : elements_) {
      if (element.name == "vertex") {
        read_vertices(element);
      } else if (element.name == "face") {
        read_faces(element);
      } else if (element.name == "tristrips") {
        read_strips(element);
      } else {
        for (std::int64_t i = 0; i < element.count; ++i) read_row(element);
      }
    }
    return std::move(raw_);
  }

 private:
  void read_header() {
    if (trimmed(scanner_.line()) != "ply") scanner_.fail("not a PLY file");
    for (;;) {
      if (scanner_.bytes_left() == 0) scanner_.fail("the header has no end");
      const std::string keyword(scanner_.word());
      if (keyword == "end_header") break;
      if (keyword == "format") read_format(std::string(scanner_.word()));
      if (keyword == "element") read_element();
      if (keyword == "property") read_property();
      scanner_.line();
    }
    scanner_.line();
    if (binary_) scanner_.now_binary();
    for (const Element& element : elements_) {
      const std::size_t row = smallest_row(element);
      if (row == 0) scanner_.fail("element " + in_quotes(element.name) + " has no properties");
      scanner_.check_room(element.count, element.name, row);
    }
  }

  /// The least bytes that one of these takes.
  [[nodiscard]] std::size_t smallest_row(const Element& element) const {
    std::size_t bytes = 0;
    for (const Property& property : element.properties) {
      const NumberType& first = property.length_type ? *property.length_type : property.type;
      bytes += binary_ ? first.bytes : 2;
    }
    return bytes;
  }

  void read_format(const std::string& format) {
    if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian") {
      scanner_.fail("unknown format " + in_quotes(format));
    }
    binary_ = format != "ascii";
    if (format == "binary_big_endian") order_ = std::endian::big;
  }

  void read_element() {
    const std::string name(scanner_.word());
    elements_.push_back({name, scanner_.integer(), {}});
  }

  void read_property() {
    if (elements_.empty()) scanner_.fail("a property before the first element");
    Property property;
    if (scanner_.peek() == "list") {
      scanner_.word();
      property.length_type = type();
    }
    property.type = type();
    property.name = scanner_.word();
    elements_.back().properties.push_back(std::move(property));
  }

  NumberType type() {
    const std::string_view name = scanner_.word();
    for (const PlyType& known : kPlyTypes) {
      if (known.name == name || known.other_name == name) return known.type;
    }
    scanner_.fail("unknown number type " + in_quotes(name));
  }

  double value(const NumberType& number_type) {
    return binary_ ? raw_number(scanner_, number_type, order_) : scanner_.number();
  }

  /// One element: the numbers of property i are row_[i], of length 1 unless it is a list.
  void read_row(const Element& element) {
    row_.resize(element.properties.size());
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const Property& property = element.properties[i];
      std::size_t length = 1;
      if (property.length_type) {
        const double stated = value(*property.length_type);
        if (!(stated >= 0 && stated <= 1e9)) scanner_.fail("damaged length of a list");
        scanner_.check_room(static_cast<std::int64_t>(stated), "numbers",
                            binary_ ? property.type.bytes : 2);
        length = static_cast<std::size_t>(stated);
      }
      row_[i].resize(length);
      for (double& number : row_[i]) number = value(property.type);
    }
  }

  void read_vertices(const Element& element) {
    const std::array<int, 3> position = {element.find({"x"}), element.find({"y"}),
                                         element.find({"z"})};
    const std::array<int, 3> colour = {element.find({"red", "r", "diffuse_red"}),
                                       element.find({"green", "g", "diffuse_green"}),
                                       element.find({"blue", "b", "diffuse_blue"})};
    const std::array<int, 2> uv = {element.find({"s", "u", "texture_u"}),
                                   element.find({"t", "v", "texture_v"})};
    if (std::min({position[0], position[1], position[2]}) < 0) {
      scanner_.fail("vertices have no x, y and z");
    }
    const bool coloured = std::min({colour[0], colour[1], colour[2]}) >= 0;
    const bool textured = std::min(uv[0], uv[1]) >= 0;
    const auto scalar = [&](int i) { return row_[i].empty() ? 0.0 : row_[i][0]; };
    for (std::int64_t v = 0; v < element.count; ++v) {
      read_row(element);
      for (const int i : position) raw_.coordinates.push_back(scalar(i));
      for (int c = 0; coloured && c < 3; ++c) {
        // Whole numbers are fractions of their type's largest, 255 for bytes.
        const NumberType& kind = element.properties[colour[c]].type;
        const double full = kind.floating ? 1 : std::pow(2.0, 8.0 * kind.bytes) - 1;
        const auto encoded = static_cast<float>(std::clamp(scalar(colour[c]) / full, 0.0, 1.0));
        raw_.colours.push_back(linear_from_srgb(encoded));
      }
      for (int c = 0; textured && c < 2; ++c) {
        raw_.uv.push_back(static_cast<float>(scalar(uv[c])));
      }
    }
    textured_vertices_ = textured;
  }

  void read_faces(const Element& element) {
    const int list = element.find({"vertex_indices", "vertex_index"});
    if (list < 0 || !element.properties[list].length_type) {
      scanner_.fail("faces have no list vertex_indices");
    }
    const int corner_uv = textured_vertices_ ? -1 : element.find({"texcoord"});
    std::vector<std::int64_t> polygon;
    std::vector<std::int64_t> pairs;
    for (std::int64_t f = 0; f < element.count; ++f) {
      read_row(element);
      polygon.clear();
      pairs.clear();
      for (const double corner : row_[list]) polygon.push_back(index(corner));
      if (textured_vertices_) pairs = polygon;
      if (corner_uv >= 0) add_corner_pairs(row_[corner_uv], polygon.size(), pairs);
      raw_.add_polygon(polygon, pairs);
    }
  }

  /// Strips one after another, ended by -1 (as Stanford's scans have them); every second triangle
  /// of a strip is turned.
  void read_strips(const Element& element) {
    const int list = element.find({"vertex_indices", "vertex_index"});
    if (list < 0 || !element.properties[list].length_type) {
      scanner_.fail("triangle strips have no list vertex_indices");
    }
    std::array<std::int64_t, 3> triangle{};
    for (std::int64_t row = 0; row < element.count; ++row) {
      read_row(element);
      std::size_t length = 0;  // of the strip so far
      for (const double number : row_[list]) {
        if (number == -1) {
          length = 0;
          continue;
        }
        const std::int64_t vertex = index(number);
        if (length < 2) {
          triangle[length++] = vertex;
          continue;
        }
        triangle[2] = vertex;
        const bool turned = length++ % 2 == 1;
        const std::array<std::int64_t, 3> polygon = {triangle[turned ? 1 : 0],
                                                     triangle[turned ? 0 : 1], triangle[2]};
        raw_.add_polygon(polygon, textured_vertices_ ? std::span<const std::int64_t>(polygon)
                                                     : std::span<const std::int64_t>());
        triangle = {triangle[1], triangle[2], 0};
      }
    }
  }

  void add_corner_pairs(const std::vector<double>& numbers, std::size_t corners,
                        std::vector<std::int64_t>& pairs) {
    const bool complete = numbers.size() == 2 * corners;
    for (std::size_t i = 0; i < corners; ++i) {
      pairs.push_back(complete ? static_cast<std::int64_t>(raw_.uv.size() / 2) : RawSurface::kNoUv);
      if (!complete) continue;
      raw_.uv.push_back(static_cast<float>(numbers[2 * i]));
      raw_.uv.push_back(static_cast<float>(numbers[2 * i + 1]));
    }
  }

  std::int64_t index(double number) const {
    if (!(number >= 0 && number <= 1e15) || number != std::floor(number)) {
      scanner_.fail("a face names a vertex that cannot be");
    }
    return static_cast<std::int64_t>(number);
  }

  Scanner scanner_;
  RawSurface raw_;
  std::vector<Element> elements_;
  std::vector<std::vector<double>> row_;
  bool binary_ = false;
  bool textured_vertices_ = false;
  std::endian order_ = std::endian::little;
};

std::string ply_header(const TriMesh& surface) {
  TextWriter out;
  out << "ply\nformat binary_little_endian 1.0\ncomment by Limber\nelement vertex "
      << surface.vertex_count() << "\nproperty double x\nproperty double y\nproperty double z\n";
  if (surface.colours.rows() > 0) {
    out << "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  }
  if (surface.uv.rows() > 0) out << "property float s\nproperty float t\n";
  out << "element face " << surface.triangle_count()
      << "\nproperty list uchar int vertex_indices\n";
  if (surface.corner_uv.rows() > 0) out << "property list uchar float texcoord\n";
  out << "end_header\n";
  return out.take();
}
}  // namespace

TriMesh read_ply(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  return finish(PlyReader(bytes, file_name).read(), file_name, notes);
}

std::string ply_text(const TriMesh& surface) {
  TextWriter out;
  out << ply_header(surface);
  for (int i = 0; i < surface.vertex_count(); ++i) {
    for (int c = 0; c < 3; ++c) out.raw(surface.V(i, c));
    for (int c = 0; surface.colours.rows() > 0 && c < 3; ++c) {
      const float encoded = srgb_from_linear(std::clamp(surface.colours(i, c), 0.0F, 1.0F));
      out.raw(static_cast<std::uint8_t>(std::lround(255 * encoded)));
    }
    for (int c = 0; surface.uv.rows() > 0 && c < 2; ++c) out.raw(surface.uv(i, c));
  }
  for (int f = 0; f < surface.triangle_count(); ++f) {
    out.raw(std::uint8_t{3});
    for (int c = 0; c < 3; ++c) out.raw(surface.F(f, c));
    if (surface.corner_uv.rows() == 0) continue;
    out.raw(std::uint8_t{6});
    for (int i = 0; i < 6; ++i) out.raw(surface.corner_uv.data()[std::size_t{6} * f + i]);
  }
  return out.take();
}

}  // namespace limber
