#include "limber/mesh/formats/vtk.h"

#include <array>
#include <numeric>

#include "limber/core/error.h"
#include "limber/mesh/formats/number_type.h"
#include "limber/mesh/formats/vtk_cells.h"

namespace limber {

namespace {
constexpr auto kVtkTypes = std::to_array<NamedType>({
    {"unsigned_char", {1, false, false}},
    {"char", {1, false, true}},
    {"unsigned_short", {2, false, false}},
    {"short", {2, false, true}},
    {"unsigned_int", {4, false, false}},
    {"int", {4, false, true}},
    {"vtkidtype", {4, false, true}},  // files written by VTK store ids as int
    {"unsigned_long", {8, false, false}},
    {"long", {8, false, true}},
    {"vtktypeint64", {8, false, true}},
    {"vtktypeuint64", {8, false, false}},
    {"vtktypeint32", {4, false, true}},
    {"vtktypeuint32", {4, false, false}},
    {"float", {4, true, true}},
    {"double", {8, true, true}},
});
constexpr NumberType kInt = {4, false, true};
constexpr NumberType kByte = {1, false, false};

class VtkReader {
 public:
  VtkReader(std::string_view bytes, const std::string& file_name) : scanner_(bytes, file_name) {
    cells_.offsets = {0};
  }

  RawTets read() {
    read_head();
    while (!scanner_.at_end() && read_section(lower_case(scanner_.word()))) {
    }
    cells_.regions = regions_.values();
    add_vtk_cells(cells_, 0, scanner_, raw_);
    return std::move(raw_);
  }

 private:
  enum class Data { none, points, cells };

  void read_head() {
    if (!scanner_.line().starts_with("# vtk DataFile")) scanner_.fail("not a VTK file");
    scanner_.line();  // the title
    const std::string form = lower_case(trimmed(scanner_.line()));
    if (form != "ascii" && form != "binary") scanner_.fail("expected ASCII or BINARY");
    binary_ = form == "binary";
    if (binary_) scanner_.now_binary();
    scanner_.expect("DATASET");
    const std::string dataset(scanner_.word());
    if (dataset != "UNSTRUCTURED_GRID") {
      throw Error("holds a " + in_quotes(dataset), scanner_.file_name(),
                  "save it as UNSTRUCTURED_GRID of tetrahedra");
    }
  }

  /// False where nothing that we know follows.
  bool read_section(const std::string& keyword) {
    if (keyword == "points") return read_points();
    if (keyword == "cells") return read_cells();
    if (keyword == "cell_types") return read_cell_types();
    if (keyword == "cell_data") return begin_data(Data::cells);
    if (keyword == "point_data") return begin_data(Data::points);
    if (keyword == "metadata") return skip_metadata();
    if (keyword == "field") return read_field();
    if (keyword == "scalars") return read_scalars();
    if (keyword == "lookup_table") return skip_lookup_table();
    if (keyword == "color_scalars") return skip_colours();
    if (keyword == "texture_coordinates") return skip_texture();
    if (keyword == "vectors" || keyword == "normals") return skip_attribute(3);
    if (keyword == "tensors") return skip_attribute(9);
    if (keyword == "tensors6") return skip_attribute(6);
    if (keyword == "global_ids" || keyword == "pedigree_ids") return skip_attribute(1);
    if (cells_.types.empty()) scanner_.fail("unknown section " + in_quotes(keyword));
    return false;
  }

  NumberType type() {
    const std::string name = lower_case(scanner_.word());
    for (const NamedType& known : kVtkTypes) {
      if (known.name == name) return known.type;
    }
    scanner_.fail("unknown number type " + in_quotes(name));
  }

  /// `count` times `components` values, from the next line on.
  std::vector<double> values(std::int64_t count, std::int64_t components, const NumberType& type) {
    scanner_.line();
    const std::size_t bytes = binary_ ? type.bytes : 2;
    scanner_.check_room(components, "components", bytes);
    scanner_.check_room(count, "values",
                        bytes * static_cast<std::size_t>(std::max<std::int64_t>(components, 1)));
    std::vector<double> numbers(static_cast<std::size_t>(count * components));
    for (double& number : numbers) {
      number = binary_ ? raw_number(scanner_, type, std::endian::big) : scanner_.number();
    }
    return numbers;
  }

  bool read_points() {
    const std::int64_t count = scanner_.integer();
    const NumberType kind = type();
    raw_.coordinates = values(count, 3, kind);
    return true;
  }

  /// Until version 4: each cell's node count and nodes in one list. From 5: offsets, then nodes.
  bool read_cells() {
    const std::int64_t first = scanner_.integer();
    const std::int64_t second = scanner_.integer();
    const std::size_t here = scanner_.position();
    if (scanner_.peek() == "OFFSETS") {
      scanner_.word();
      const NumberType offset_type = type();
      cells_.offsets = values(first, 1, offset_type);
      scanner_.expect("CONNECTIVITY");
      const NumberType node_type = type();
      cells_.connectivity = values(second, 1, node_type);
      if (cells_.offsets.empty()) cells_.offsets = {0};
      return true;
    }
    scanner_.seek(here);
    split_list(values(second, 1, kInt), first);
    return true;
  }

  void split_list(const std::vector<double>& list, std::int64_t count) {
    cells_.offsets = {0};
    cells_.connectivity.clear();
    std::size_t next = 0;
    for (std::int64_t c = 0; c < count; ++c) {
      const double size = next < list.size() ? list[next++] : -1;
      if (!(size >= 0 && size <= static_cast<double>(list.size() - next))) {
        scanner_.fail("the list of cells is too short");
      }
      const auto end = next + static_cast<std::size_t>(size);
      cells_.connectivity.insert(cells_.connectivity.end(), list.begin() + next,
                                 list.begin() + end);
      cells_.offsets.push_back(static_cast<double>(cells_.connectivity.size()));
      next = end;
    }
  }

  bool read_cell_types() {
    const std::int64_t count = scanner_.integer();
    cells_.types = values(count, 1, kInt);
    return true;
  }

  bool begin_data(Data data) {
    data_ = data;
    data_count_ = scanner_.integer();
    return true;
  }

  /// SCALARS name type [components] LOOKUP_TABLE name values
  bool read_scalars() {
    const std::string name(scanner_.word());
    const NumberType kind = type();
    const std::int64_t components = scanner_.more_on_line() ? scanner_.integer() : 1;
    const std::size_t here = scanner_.position();
    if (lower_case(scanner_.peek()) == "lookup_table") {
      scanner_.word();
      scanner_.word();
    } else {
      scanner_.seek(here);
    }
    offer(name, values(data_count_, components, kind), components);
    return true;
  }

  /// FIELD name count, then arrays: name components tuples type values
  bool read_field() {
    scanner_.word();
    const std::int64_t arrays = scanner_.integer();
    for (std::int64_t a = 0; a < arrays; ++a) {
      const std::string name(scanner_.word());
      if (lower_case(name) == "metadata") {
        skip_metadata();
        --a;
        continue;
      }
      const std::int64_t components = scanner_.integer();
      const std::int64_t tuples = scanner_.integer();
      const std::string kind = lower_case(scanner_.peek());
      if (kind == "string" || kind == "bit" || kind == "variant") {
        scanner_.fail("field array of type " + kind + " is not supported");
      }
      const NumberType known = type();
      offer(name, values(tuples, components, known), components);
    }
    return true;
  }

  void offer(std::string_view name, const std::vector<double>& numbers, std::int64_t components) {
    if (data_ == Data::cells) {
      regions_.offer(name, numbers, components);
      if (std::vector<double>* const found = material_array(cells_, name);
          found != nullptr && components == 1) {
        found->assign(numbers.begin(), numbers.end());
      }
    }
  }

  bool skip_attribute(std::int64_t components) {
    scanner_.word();
    const NumberType kind = type();
    values(data_count_, components, kind);
    return true;
  }

  bool skip_texture() {
    scanner_.word();
    const std::int64_t components = scanner_.integer();
    const NumberType kind = type();
    values(data_count_, components, kind);
    return true;
  }

  bool skip_colours() {
    scanner_.word();
    const std::int64_t components = scanner_.integer();
    values(data_count_, components, kByte);
    return true;
  }

  bool skip_lookup_table() {
    scanner_.word();
    const std::int64_t size = scanner_.integer();
    values(size, 4, kByte);
    return true;
  }

  /// Up to the next empty line.
  bool skip_metadata() {
    scanner_.line();
    while (scanner_.bytes_left() > 0 && !trimmed(scanner_.line()).empty()) {
    }
    return true;
  }

  Scanner scanner_;
  RawTets raw_;
  VtkCells cells_;
  RegionChoice regions_;
  Data data_ = Data::none;
  std::int64_t data_count_ = 0;
  bool binary_ = false;
};
}  // namespace

TetMesh read_vtk(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  return finish(VtkReader(bytes, file_name).read(), file_name, notes);
}

}  // namespace limber
