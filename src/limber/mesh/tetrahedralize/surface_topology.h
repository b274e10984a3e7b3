// How the triangles of a soup hang together: parts, borders, and one facing for each patch.
#pragma once

#include <vector>

#include "limber/mesh/tetrahedralize/soup.h"

namespace limber {

struct SoupTopology {
  std::vector<int> part_of;  ///< for each triangle; triangles with a common vertex are one part
  int parts = 0;
  std::vector<int> patch_of;  ///< for each triangle; patches hang together by edges of exactly two
  int patches = 0;
  std::vector<bool> closed;     ///< for each patch: every edge has exactly two triangles
  std::vector<bool> part_open;  ///< for each part: it has a border
  int boundary_edges = 0;       ///< edges of one triangle
  int holes = 0;                ///< connected chains of boundary edges
  int non_manifold_edges = 0;   ///< edges of three triangles or more
  int turned_triangles = 0;     ///< triangles that were turned to face as their patch does
  int one_sided_patches = 0;    ///< patches no turning can make agree (Möbius)
};

/// Also turns triangles of `soup` so that each patch faces one way: the way most of its area faced.
SoupTopology find_topology(Soup& soup);

}  // namespace limber
