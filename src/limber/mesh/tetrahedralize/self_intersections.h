// Where triangles of a soup cross each other, and which of its parts touch.
#pragma once

#include <utility>
#include <vector>

#include "limber/mesh/spatial/triangle_tree.h"
#include "limber/mesh/tetrahedralize/soup.h"

namespace limber {

struct SelfIntersections {
  int crossing_pairs = 0;  ///< pairs of triangles that cross
  /// Pairs without a common corner that cross, or are of different parts and touch.
  std::vector<std::pair<int, int>> touching;
};

/// Neighbours along an edge are never counted; those with one common corner only where they cross
/// away from it. `part_of` numbers the part of each triangle.
SelfIntersections find_self_intersections(const Soup& soup, const TriangleTree& tree,
                                          const std::vector<int>& part_of);

}  // namespace limber
