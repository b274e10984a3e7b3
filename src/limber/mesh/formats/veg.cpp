#include "limber/mesh/formats/veg.h"

#include <map>

#include "limber/core/error.h"
#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"

namespace limber {

namespace {
class VegReader {
 public:
  VegReader(std::string_view bytes, const std::string& file_name)
      : scanner_(bytes, file_name, {.comment = '#', .commas_are_space = true}) {}

  RawTets read() {
    while (!scanner_.at_end()) read_section(lower_case(scanner_.word()));
    settle_materials();
    return std::move(raw_);
  }

 private:
  void read_section(const std::string& keyword) {
    if (!keyword.starts_with('*')) {
      scanner_.fail("expected a section such as *VERTICES, found " + in_quotes(keyword));
    }
    if (keyword == "*vertices") return read_vertices();
    if (keyword == "*elements") return read_elements();
    if (keyword == "*set") return read_set();
    if (keyword == "*region") return read_region();
    if (keyword == "*material") return read_material();
    if (keyword == "*include") {
      throw Error("takes its mesh from another file", scanner_.file_name(),
                  "put the included file's text in place of the *INCLUDE line");
    }
    while (!scanner_.at_end() && !scanner_.peek().starts_with('*')) scanner_.word();
  }

  /// Vertices and elements are numbered in order, from 0 or 1.
  void check_number(std::int64_t number, std::size_t row, std::int64_t first, const char* what) {
    if (number == first + static_cast<std::int64_t>(row)) return;
    scanner_.fail(std::string(what) + " " + std::to_string(number) + " is out of order");
  }

  void read_vertices() {
    const std::size_t count = scanner_.count("vertices", 8);  // "1 0 0 0\n"
    if (scanner_.integer() != 3) scanner_.fail("the mesh is not three-dimensional");
    scanner_.line();  // counts of attributes and markers, always 0
    raw_.coordinates.reserve(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t number = scanner_.integer();
      if (i == 0) first_vertex_ = number;
      check_number(number, i, first_vertex_, "vertex");
      for (int c = 0; c < 3; ++c) raw_.coordinates.push_back(scanner_.number());
    }
  }

  void read_elements() {
    const std::string kind = lower_case(scanner_.word());
    const std::size_t count = scanner_.count("elements", 10);  // "1 1 2 3 4\n"
    const std::int64_t nodes = scanner_.integer();
    raw_.regions.assign(count, 0);
    if (!kind.starts_with("tet") || nodes != 4) {
      raw_.note_others(kind.starts_with("tet") ? "higher-order tetrahedra" : "cubes", true,
                       static_cast<std::int64_t>(count));
      while (!scanner_.at_end() && !scanner_.peek().starts_with('*')) scanner_.word();
      return;
    }
    scanner_.line();
    raw_.corners.reserve(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t number = scanner_.integer();
      if (i == 0) first_element_ = number;
      check_number(number, i, first_element_, "element");
      for (int c = 0; c < 4; ++c) raw_.corners.push_back(scanner_.integer() - first_vertex_);
    }
  }

  void read_set() {
    std::vector<std::int64_t>& set = sets_[std::string(scanner_.word())];
    while (!scanner_.at_end() && !scanner_.peek().starts_with('*')) {
      set.push_back(scanner_.integer() - first_element_);
    }
  }

  void read_region() {
    const std::string name(scanner_.word());
    ++regions_;
    if (!scanner_.at_end() && !scanner_.peek().starts_with('*')) {
      material_of_region_[regions_] = scanner_.word();
    }
    const auto set = sets_.find(name);
    if (set != sets_.end()) {
      for (const std::int64_t element : set->second) assign_region(element);
    } else if (lower_case(name) == "allelements") {
      std::fill(raw_.regions.begin(), raw_.regions.end(), regions_);
    } else {
      scanner_.fail("a region names the set " + in_quotes(name) + ", which is not there");
    }
  }

  /// "*MATERIAL name" and "ENu, density, Young, Poisson".
  void read_material() {
    const std::string name(scanner_.word());
    const std::string kind = lower_case(scanner_.word());
    if (kind != "enu") {
      throw Error("material " + in_quotes(name) + " is of the kind " + in_quotes(kind) +
                      ", which Limber does not know",
                  scanner_.file_name(), "give ENu, density, Young's modulus, Poisson's ratio");
    }
    RegionMaterial material;
    material.density = scanner_.number();
    material.young = scanner_.number();
    material.poisson = scanner_.number();
    materials_[name] = material;
  }

  /// Without regions the one material there is stands for all.
  void settle_materials() {
    if (material_of_region_.empty() && materials_.size() == 1) {
      raw_.materials[0] = materials_.begin()->second;
    }
    for (const auto& [region, name] : material_of_region_) {
      const auto found = materials_.find(name);
      if (found == materials_.end()) {
        scanner_.fail("a region names the material " + in_quotes(name) + ", which is not there");
      }
      raw_.materials[region] = found->second;
    }
  }

  void assign_region(std::int64_t element) {
    if (element < 0 || element >= static_cast<std::int64_t>(raw_.regions.size())) {
      scanner_.fail("a set names element " + std::to_string(element + first_element_) +
                    ", which is not there");
    }
    raw_.regions[element] = regions_;
  }

  Scanner scanner_;
  RawTets raw_;
  std::map<std::string, std::vector<std::int64_t>> sets_;
  std::map<std::string, RegionMaterial> materials_;
  std::map<int, std::string> material_of_region_;
  std::int64_t first_vertex_ = 1;
  std::int64_t first_element_ = 1;
  int regions_ = 0;
};
}  // namespace

TetMesh read_veg(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  return finish(VegReader(bytes, file_name).read(), file_name, notes);
}

}  // namespace limber
