// The tetrahedra of a balanced octree: a body-centred cubic lattice wherever leaves of one size
// meet, and tets that fit between sizes. Labelle & Shewchuk 2007, section 3.4.
//
// Across a face between leaves of one size, each of its four edges and the two centres make a tet
// (dihedral angles 60° and 90°), cut in two where the edge has a midpoint. Where a leaf meets four
// smaller ones, each small face is cut along the diagonal from the middle of the large face and
// joined to the centre on either side. No angle is below 45°.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "limber/mesh/tetrahedralize/octree.h"

namespace limber {

struct BackgroundGrid {
  std::vector<Place> places;  ///< of each node, in the octree's units
  std::vector<Vec3> nodes;
  std::vector<std::array<std::int32_t, 4>> tets;  ///< positive volume
  /// Tets with a corner at the centre of octree node n are
  /// tets_of_leaf[first_tet[n]..first_tet[n+1]): all that reach into that leaf.
  std::vector<std::int32_t> first_tet;
  std::vector<std::int32_t> tets_of_leaf;

  [[nodiscard]] std::array<Vec3, 4> corners(int tet) const {
    const auto& t = tets[tet];
    return {nodes[t[0]], nodes[t[1]], nodes[t[2]], nodes[t[3]]};
  }
};

/// Leaves at the border of the forest have no tets on that side.
BackgroundGrid make_background_grid(const Octree& octree);

}  // namespace limber
