#include "limber/mesh/formats/vtu.h"

#include <charconv>
#include <optional>
#include <span>

#include "limber/core/error.h"
#include "limber/mesh/formats/base64.h"
#include "limber/mesh/formats/mesh_layout.h"
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

// ---- Where raw appended arrays stand ------------------------------------------------------------

/// Looks into one piece's arrays without copying them.
class PieceLayout {
 public:
  PieceLayout(const XmlElement& piece, const VtuArrays& arrays, const Scanner& scanner,
              std::string_view file)
      : piece_(piece), arrays_(arrays), scanner_(scanner), file_(file) {}

  void add_to(MeshLayout& layout, ElementCounts& others) const {
    const std::int64_t points = count_attribute(piece_, "NumberOfPoints", scanner_);
    const std::int64_t cells = count_attribute(piece_, "NumberOfCells", scanner_);
    if (points == 0 && cells == 0) return;
    const std::int64_t first_node = layout.node_count();
    const XmlElement& coordinates =
        required(required(piece_, "Points", scanner_), "DataArray", scanner_);
    layout.nodes.push_back({points, run(coordinates, points, 3), false, {}});

    const XmlElement& lists = required(piece_, "Cells", scanner_);
    const XmlElement& connectivity = array_named(lists, "connectivity", scanner_);
    const NumberRun types = run(array_named(lists, "types", scanner_), cells, 1);
    const NumberRun ends = run(array_named(lists, "offsets", scanner_), cells, 1);
    refuse_materials();
    const std::optional<NumberRun> regions = region_run(cells);
    std::int64_t begin = 0;
    bool was_tet = false;
    for (std::int64_t c = 0; c < cells; ++c) {
      const std::int64_t end = number(ends, c, "a cell offset");
      const std::int64_t type = number(types, c, "a cell type");
      if (end < begin) scanner_.fail_as_a_whole("the offsets of cells do not ascend");
      if (type == kVtkTet) {
        if (end - begin != 4) {
          scanner_.fail_as_a_whole("cell " + std::to_string(c) +
                                   " is a tetrahedron without four nodes");
        }
        if (!was_tet) layout.tets.push_back(tet_run(connectivity, begin, c, first_node, regions));
        ++layout.tets.back().count;
      } else {
        note_vtk_cell(type, others);
      }
      begin = end;
      was_tet = type == kVtkTet;
    }
    (void)run(connectivity, begin, 1);  // the list ends where the cells do
  }

 private:
  /// Refuses arrays that do not have `count` items of `components` numbers.
  [[nodiscard]] NumberRun run(const XmlElement& array, std::int64_t count, int components) const {
    const VtuArrays::InPlace data = arrays_.in_place(array);
    const std::size_t stride = components * data.type.bytes;
    if (data.bytes.size() % stride != 0 ||
        static_cast<std::int64_t>(data.bytes.size() / stride) != count) {
      scanner_.fail_as_a_whole("array " + in_quotes(array.attribute("Name", "Points")) +
                               " does not have " + std::to_string(count) + " items");
    }
    return {static_cast<std::uint64_t>(data.bytes.data() - file_.data()), stride, data.type};
  }

  [[nodiscard]] std::int64_t number(const NumberRun& run, std::int64_t k, const char* what) const {
    Scanner at(file_.substr(run.position + static_cast<std::uint64_t>(k) * run.stride, 8),
               scanner_.file_name());
    return whole_number(raw_number(at, run.type, arrays_.order()), what, scanner_);
  }

  /// They would have to become regions first, as read_vtu() makes them.
  void refuse_materials() const {
    const XmlElement* const data = piece_.child("CellData");
    if (data == nullptr) return;
    VtkCells cells;
    for (const XmlElement& array : data->children) {
      if (array.name != "DataArray") continue;
      if (std::vector<double>* const found = material_array(cells, array.attribute("Name"))) {
        *found = {1};
      }
    }
    if (cells.young.empty() || cells.poisson.empty() || cells.density.empty()) return;
    throw Error("gives materials cell by cell, which cannot be read in slices",
                scanner_.file_name(), "use `limber modes` or `limber bake`, which hand them over");
  }

  /// The best named array of whole numbers, as the other readers choose it.
  [[nodiscard]] std::optional<NumberRun> region_run(std::int64_t cells) const {
    const XmlElement* const data = piece_.child("CellData");
    const XmlElement* best = nullptr;
    if (data == nullptr) return {};
    for (const XmlElement& array : data->children) {
      const std::optional<int> rank = region_name_rank(array.attribute("Name"));
      if (array.name != "DataArray" || !rank) continue;
      if (array.attribute("NumberOfComponents", "1") != "1") continue;
      if (array.attribute("type").starts_with("Float")) continue;
      if (best == nullptr || *rank < *region_name_rank(best->attribute("Name"))) best = &array;
    }
    return best == nullptr ? std::nullopt : std::optional(run(*best, cells, 1));
  }

  /// Of no tets yet, the first being cell c.
  [[nodiscard]] TetRun tet_run(const XmlElement& connectivity, std::int64_t begin, std::int64_t c,
                               std::int64_t first_node,
                               const std::optional<NumberRun>& regions) const {
    const VtuArrays::InPlace data = arrays_.in_place(connectivity);
    TetRun tets;
    tets.corners = {static_cast<std::uint64_t>(data.bytes.data() - file_.data()) +
                        static_cast<std::uint64_t>(begin) * data.type.bytes,
                    4 * data.type.bytes, data.type};
    tets.first_node = first_node;
    tets.has_regions = regions.has_value();
    if (regions) {
      tets.regions = *regions;
      tets.regions.position += static_cast<std::uint64_t>(c) * regions->stride;
    }
    return tets;
  }

  const XmlElement& piece_;
  const VtuArrays& arrays_;
  const Scanner& scanner_;
  std::string_view file_;
};

// ---- Writing ------------------------------------------------------------------------------------

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

/// The file's elements; refuses what is no unstructured grid.
XmlElement parse_vtu(Scanner& scanner) {
  XmlElement root = parse_xml(scanner, "AppendedData");
  if (root.name != "VTKFile")
    scanner.fail_as_a_whole("not a VTK file, it begins with " + in_quotes(root.name));
  const std::string type(root.attribute("type"));
  if (type != "UnstructuredGrid") {
    throw Error("holds a " + in_quotes(type), scanner.file_name(),
                "save it as UnstructuredGrid of tetrahedra");
  }
  return root;
}
}  // namespace

MeshLayout vtu_layout(std::string_view bytes, const std::string& file_name) {
  Scanner scanner(bytes, file_name);
  const XmlElement root = parse_vtu(scanner);
  const VtuArrays arrays(root, scanner);
  MeshLayout layout;
  layout.order = arrays.order();
  ElementCounts others;
  for (const XmlElement& piece : required(root, "UnstructuredGrid", scanner).children) {
    if (piece.name != "Piece") continue;
    PieceLayout(piece, arrays, scanner, bytes).add_to(layout, others);
  }
  require_tets(others, !layout.tets.empty(), file_name);
  return layout;
}

TetMesh read_vtu(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  Scanner scanner(bytes, file_name);
  const XmlElement root = parse_vtu(scanner);
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
