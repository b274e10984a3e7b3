#include "limber/mesh/formats/vtk_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "limber/mesh/formats/number_type.h"

namespace limber {

namespace {
struct VtkCellType {
  int number;
  const char* plural;
  bool solid;
};
// VTK's vtkCellType.h.
constexpr auto kCellTypes = std::to_array<VtkCellType>({
    {0, "empty cells", false},
    {1, "points", false},
    {2, "points", false},
    {3, "lines", false},
    {4, "lines", false},
    {5, "triangles", false},
    {6, "triangle strips", false},
    {7, "polygons", false},
    {8, "quadrilaterals", false},
    {9, "quadrilaterals", false},
    {11, "voxels", true},
    {12, "hexahedra", true},
    {13, "prisms", true},
    {14, "pyramids", true},
    {21, "second-order lines", false},
    {22, "second-order triangles", false},
    {23, "second-order quadrilaterals", false},
    {24, "second-order tetrahedra", true},
    {25, "second-order hexahedra", true},
});

/// Names that mean region, best first; then anything that contains "region" or "material".
constexpr auto kRegionNames = std::to_array<std::string_view>(
    {"region", "regions", "region_id", "regionid", "material", "materials", "material_id",
     "materialid", "materialids", "gmsh:physical", "physical", "medit:ref", "cell_tags",
     "cellentityids", "tetgen:ref", "attribute"});

/// Regions must be whole numbers within an int; densities and the like are not regions.
bool all_regions(std::span<const double> values) {
  constexpr double kMost = 2147483647.0;
  return std::all_of(values.begin(), values.end(), [](double value) {
    return std::abs(value) <= kMost && value == std::floor(value);
  });
}
/// Whether the cells give materials: all three numbers. Some of them alone are said to be left out.
bool give_materials(const VtkCells& cells, RawTets& raw) {
  int complete = 0;
  int given = 0;
  for (const std::vector<double>* values : {&cells.young, &cells.poisson, &cells.density}) {
    given += !values->empty();
    complete += !values->empty() && values->size() == cells.types.size();
  }
  if (given > complete || (given > 0 && given < 3)) {
    raw.skipped
        ["cell arrays of materials: Young's modulus, Poisson's ratio and density are used "
         "where all three are given"] += given;
    return false;
  }
  return given == 3;
}

struct MaterialName {
  std::string_view name;
  std::vector<double> VtkCells::*array;
};
constexpr auto kMaterialNames = std::to_array<MaterialName>({
    {"young", &VtkCells::young},
    {"youngs_modulus", &VtkCells::young},
    {"young_modulus", &VtkCells::young},
    {"youngmodulus", &VtkCells::young},
    {"youngsmodulus", &VtkCells::young},
    {"e", &VtkCells::young},
    {"poisson", &VtkCells::poisson},
    {"poisson_ratio", &VtkCells::poisson},
    {"poissons_ratio", &VtkCells::poisson},
    {"poissonratio", &VtkCells::poisson},
    {"nu", &VtkCells::poisson},
    {"density", &VtkCells::density},
    {"rho", &VtkCells::density},
});
}  // namespace

void note_vtk_cell(std::int64_t number, ElementCounts& counts) {
  for (const VtkCellType& type : kCellTypes) {
    if (type.number == number) return counts.note_others(type.plural, type.solid);
  }
  counts.note_others("cells of VTK type " + std::to_string(number), true);
}

std::vector<double>* material_array(VtkCells& cells, std::string_view name) {
  const std::string lower = lower_case(name);
  for (const MaterialName& known : kMaterialNames) {
    if (known.name == lower) return &(cells.*known.array);
  }
  return nullptr;
}

void add_vtk_cells(const VtkCells& cells, std::int64_t first_node, const Scanner& scanner,
                   RawTets& raw) {
  const std::size_t count = cells.types.size();
  if (cells.offsets.size() != count + 1)
    scanner.fail_as_a_whole("cells and their types differ in number");
  const bool has_regions = cells.regions.size() == count;
  const bool has_materials = give_materials(cells, raw);
  if (has_materials && raw.tet_materials.size() != raw.corners.size() / 4) {
    scanner.fail_as_a_whole("some of its pieces give materials and others none");
  }
  raw.regions.resize(raw.corners.size() / 4, 0);
  for (std::size_t c = 0; c < count; ++c) {
    const std::int64_t type = whole_number(cells.types[c], "a cell type", scanner);
    if (type != kVtkTet) {
      note_vtk_cell(type, raw);
      continue;
    }
    const std::int64_t begin = whole_number(cells.offsets[c], "a cell offset", scanner);
    const std::int64_t end = whole_number(cells.offsets[c + 1], "a cell offset", scanner);
    if (begin < 0 || end - begin != 4 ||
        end > static_cast<std::int64_t>(cells.connectivity.size())) {
      scanner.fail_as_a_whole("cell " + std::to_string(c) + " is a tetrahedron without four nodes");
    }
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t node = whole_number(cells.connectivity[i], "a node number", scanner);
      raw.corners.push_back(node < 0 ? node : first_node + node);
    }
    raw.regions.push_back(has_regions ? static_cast<int>(cells.regions[c]) : 0);
    if (has_materials) {
      raw.tet_materials.push_back({cells.young[c], cells.poisson[c], cells.density[c]});
    }
  }
}

std::optional<int> region_name_rank(std::string_view name) {
  const std::string lower = lower_case(name);
  for (std::size_t i = 0; i < kRegionNames.size(); ++i) {
    if (lower == kRegionNames[i]) return static_cast<int>(i);
  }
  const bool similar = lower.find("region") != lower.npos || lower.find("material") != lower.npos;
  return similar ? std::optional<int>(static_cast<int>(kRegionNames.size())) : std::nullopt;
}

void RegionChoice::offer(std::string_view name, std::span<const double> values,
                         std::int64_t components) {
  const std::optional<int> rank = region_name_rank(name);
  if (!rank || *rank >= rank_ || components != 1 || !all_regions(values)) return;
  rank_ = *rank;
  values_.assign(values.begin(), values.end());
}

}  // namespace limber
