// A body's volume as linear tetrahedra.
#pragma once

#include <vector>

#include "limber/core/types.h"

namespace limber {

/// V (n×3) rest positions in metres, T (m×4) tetrahedra of positive volume, and a region number
/// for each tet (material by region). `regions` is empty when the mesh has only one, number 0.
struct TetMesh {
  Positions V;
  Tets T;
  std::vector<int> regions;

  [[nodiscard]] int node_count() const { return static_cast<int>(V.rows()); }
  [[nodiscard]] int tet_count() const { return static_cast<int>(T.rows()); }
  [[nodiscard]] int region(int tet) const { return regions.empty() ? 0 : regions[tet]; }
};

}  // namespace limber
