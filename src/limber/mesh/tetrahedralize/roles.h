// What each triangle of a body says about its inside: some bound a solid, some are thin sheets,
// some lie within and say nothing.
//
// The measure is the winding number w just behind a triangle (on the side its normal points away
// from): near 1 for the skin of a solid, whatever its small holes; near 0.5 for a flat sheet. A
// part of the surface whose w strays far from whole numbers is open, and gets a thickness instead
// of an inside. When even the rest does not agree on an inside, because its patches face this way
// and that, winding numbers are not used at all: what cannot be reached from outside is inside.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/mesh/tetrahedralize/fill_kinds.h"
#include "limber/mesh/tetrahedralize/surface_topology.h"

namespace limber {

enum class Role : std::uint8_t {
  wall,   ///< bounds the solid
  sheet,  ///< open: to be thickened
  inner   ///< inside the solid anyway
};

struct Roles {
  InsideTest test = InsideTest::winding_number;
  std::vector<Role> of;    ///< for each triangle
  int turned_patches = 0;  ///< patches that faced inward
  int sheet_parts = 0;
  bool sealed = false;     ///< every edge has two triangles and all are walls
  double whole_share = 1;  ///< share of the walls' area behind which w is near a whole number
};

/// Turns patches of `body` outward where that can be told, and gives each triangle its role.
Roles find_roles(Soup& body, OpenSurfaces open);

}  // namespace limber
