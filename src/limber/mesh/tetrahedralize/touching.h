// Which triangles touch which tets of the background grid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "limber/mesh/spatial/triangle_tree.h"
#include "limber/mesh/tetrahedralize/background_grid.h"

namespace limber {

/// For each tet the triangles that come nearer than `slack`, ascending:
/// triangles[first[t]..first[t+1]).
struct Touching {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> triangles;

  [[nodiscard]] bool any(int tet) const { return first[tet] < first[tet + 1]; }
  [[nodiscard]] std::span<const std::int32_t> of(int tet) const {
    return {triangles.data() + first[tet], triangles.data() + first[tet + 1]};
  }
};

Touching find_touching(const Octree& octree, const BackgroundGrid& grid,
                       const TriangleTree& triangles, double slack);

}  // namespace limber
