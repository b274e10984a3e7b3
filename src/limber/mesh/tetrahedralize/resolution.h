// How well a conforming mesh follows the surface it was made from.
#pragma once

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tetrahedralize/solid.h"

namespace limber {

struct Resolution {
  double farthest = 0;  ///< of a surface vertex from the mesh's boundary, m
  Vec3 farthest_at = Vec3::Zero();
  double unresolved_share = 0;  ///< of the surface's area, farther than `limit`
};

/// Only vertices on the border of the solid count; those inside of overlapping parts do not.
Resolution resolution_of(const TetMesh& mesh, const Soup& body, const Solid& solid, double limit);

}  // namespace limber
