#include "limber/mesh/formats/vtu.h"

#include <charconv>
#include <span>

#include "limber/core/error.h"
#include "limber/mesh/formats/base64.h"
#include "limber/mesh/formats/text_writer.h"
#include "limber/mesh/formats/vtu_arrays.h"

namespace limber {

namespace {
std::int64_t count_attribute(const XmlElement& piece, std::string_view key,
                             const Scanner& scanner) {
  const std::string_view text = trimmed(piece.attribute(key));
  std::int64_t count = -1;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  if (problem != std::errc{} || stop != text.data() + text.size() || count < 0 || count > kMost) {
    scanner.fail_as_a_whole(std::string(key) + " is " + in_quotes(text));
  }
  return count;
}

const XmlElement& required(const XmlElement& parent, std::string_view name,
                           const Scanner& scanner) {
  const XmlElement* const child = parent.child(name);
  if (child == nullptr) {
    scanner.fail_as_a_whole("element " + in_quotes(parent.name) + " has no " + std::string(name));
  }
  return *child;
}

const XmlElement& array_named(const XmlElement& parent, std::string_view name,
                              const Scanner& scanner) {
  for (const XmlElement& array : parent.children) {
    if (array.name == "DataArray" && array.attribute("Name") == name) return array;
  }
  scanner.fail_as_a_whole("element " + in_quotes(parent.name) + " has no array " + in_quotes(name));
}

std::vector<double> read_regions(const XmlElement& piece, const VtuArrays& arrays,
                                 std::int64_t cells) {
  RegionChoice regions;
  const XmlElement* const data = piece.child("CellData");
  if (data == nullptr) return {};
  for (const XmlElement& array : data->children) {
    const std::string_view name = array.attribute("Name");
    if (array.name != "DataArray" || !region_name_rank(name)) continue;
    if (array.attribute("NumberOfComponents", "1") != "1") continue;
    regions.offer(name, arrays.read(array, cells), 1);
  }
  return regions.values();
}

void read_materials(const XmlElement& piece, const VtuArrays& arrays, std::int64_t cell_count,
                    VtkCells& cells) {
  const XmlElement* const data = piece.child("CellData");
  if (data == nullptr) return;
  for (const XmlElement& array : data->children) {
    if (array.name != "DataArray" || array.attribute("NumberOfComponents", "1") != "1") continue;
    if (std::vector<double>* const found = material_array(cells, array.attribute("Name"))) {
      *found = arrays.read(array, cell_count);
    }
  }
}

void read_piece(const XmlElement& piece, const VtuArrays& arrays, const Scanner& scanner,
                RawTets& raw) {
  const std::int64_t points = count_attribute(piece, "NumberOfPoints", scanner);
  const std::int64_t cell_count = count_attribute(piece, "NumberOfCells", scanner);
  if (points == 0 && cell_count == 0) return;
  const auto first_node = static_cast<std::int64_t>(raw.coordinates.size() / 3);
  const XmlElement& point_array =
      required(required(piece, "Points", scanner), "DataArray", scanner);
  const std::vector<double> coordinates = arrays.read(point_array, 3 * points);
  raw.coordinates.insert(raw.coordinates.end(), coordinates.begin(), coordinates.end());

  const XmlElement& lists = required(piece, "Cells", scanner);
  VtkCells cells;
  cells.types = arrays.read(array_named(lists, "types", scanner), cell_count);
  cells.offsets = arrays.read(array_named(lists, "offsets", scanner), cell_count);
  cells.offsets.insert(cells.offsets.begin(), 0);
  cells.connectivity = arrays.read(array_named(lists, "connectivity", scanner), -1);
  cells.regions = read_regions(piece, arrays, cell_count);
  read_materials(piece, arrays, cell_count, cells);
  add_vtk_cells(cells, first_node, scanner, raw);
}

template <typename Number>
void write_array(TextWriter& out, std::string_view description, std::span<const Number> values) {
  TextWriter bytes;
  bytes.raw<std::uint64_t>(values.size_bytes());
  bytes << std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  out << "        <DataArray " << description << " format=\"binary\">\n          "
      << base64_encoded(bytes.take()) << "\n        </DataArray>\n";
}

void write_cells(TextWriter& out, const TetMesh& mesh) {
  std::vector<std::int64_t> offsets(mesh.tet_count());
  for (int t = 0; t < mesh.tet_count(); ++t) offsets[t] = 4 * (t + std::int64_t{1});
  const std::vector<std::uint8_t> types(mesh.tet_count(), kVtkTet);
  out << "      <Cells>\n";
  write_array<std::int32_t>(out, "type=\"Int32\" Name=\"connectivity\"",
                            {mesh.T.data(), static_cast<std::size_t>(mesh.T.size())});
  write_array<std::int64_t>(out, "type=\"Int64\" Name=\"offsets\"", offsets);
  write_array<std::uint8_t>(out, "type=\"UInt8\" Name=\"types\"", types);
  out << "      </Cells>\n";
}
}  // namespace

TetMesh read_vtu(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  Scanner scanner(bytes, file_name);
  const XmlElement root = parse_xml(scanner, "AppendedData");
  if (root.name != "VTKFile")
    scanner.fail_as_a_whole("not a VTK file, it begins with " + in_quotes(root.name));
  const std::string type(root.attribute("type"));
  if (type != "UnstructuredGrid") {
    throw Error("holds a " + in_quotes(type), file_name,
                "save it as UnstructuredGrid of tetrahedra");
  }
  const VtuArrays arrays(root, scanner);
  RawTets raw;
  for (const XmlElement& piece : required(root, "UnstructuredGrid", scanner).children) {
    if (piece.name == "Piece") read_piece(piece, arrays, scanner, raw);
  }
  return finish(std::move(raw), file_name, notes);
}

std::string vtu_text(const TetMesh& mesh) {
  TextWriter out;
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
         "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <UnstructuredGrid>\n"
      << "    <Piece NumberOfPoints=\"" << mesh.node_count() << "\" NumberOfCells=\""
      << mesh.tet_count() << "\">\n      <Points>\n";
  write_array<double>(out, "type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"",
                      {mesh.V.data(), static_cast<std::size_t>(mesh.V.size())});
  out << "      </Points>\n";
  write_cells(out, mesh);
  if (!mesh.regions.empty()) {
    out << "      <CellData Scalars=\"region\">\n";
    write_array<int>(out, "type=\"Int32\" Name=\"region\"", mesh.regions);
    out << "      </CellData>\n";
  }
  out << "    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n";
  return out.take();
}

}  // namespace limber
