// What legacy VTK and VTU share: cell types, and which cell data are regions.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"

namespace limber {

inline constexpr int kVtkTet = 10;

/// Cells as VTK lists them; cell c has the nodes connectivity[offsets[c]] to [offsets[c+1]-1].
struct VtkCells {
  std::vector<double> types;
  std::vector<double> offsets;  ///< one more than there are cells
  std::vector<double> connectivity;
  std::vector<double> regions;  ///< one a cell, or empty
  std::vector<double> young;    ///< Pa, likewise
  std::vector<double> poisson;
  std::vector<double> density;  ///< kg/m³
};

/// Appends the tets among `cells`, whose node numbers begin at `first_node`; counts the others.
/// `scanner` only says where errors are.
void add_vtk_cells(const VtkCells& cells, std::int64_t first_node, const Scanner& scanner,
                   RawTets& raw);

/// Counts a cell that is no tet.
void note_vtk_cell(std::int64_t type, ElementCounts& counts);

/// Where a cell array of this name belongs; null when it is no material's.
std::vector<double>* material_array(VtkCells& cells, std::string_view name);

/// How well a cell array's name says "region": 0 is best, none when it does not.
std::optional<int> region_name_rank(std::string_view name);

/// Keeps the best array of regions seen so far.
class RegionChoice {
 public:
  void offer(std::string_view name, std::span<const double> values, std::int64_t components);
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  int rank_ = 1 << 30;
  std::vector<double> values_;
};

}  // namespace limber
