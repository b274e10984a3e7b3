// Isosurface stuffing: fills a solid with tets whose angles are bounded. Labelle & Shewchuk 2007.
//
// Background nodes are inside or outside; edges between carry a cut point on the surface. A node
// with a cut point very near is moved onto it, which does away with all cuts on its edges; what is
// left of each background tet comes from a stencil. On a lattice of one size all dihedral angles
// then lie between 10.7° and 164.8°; where sizes change at the surface there is no such bound.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tetrahedralize/background_grid.h"

namespace limber {

struct Stuffed {
  TetMesh mesh;
  std::vector<bool> on_surface;  ///< for each node: it was moved onto or made on the surface
};

/// `inside` tells for each node of the grid; crossing(a, b) gives the fraction of the way from the
/// inside position a to the outside position b at which the surface lies.
Stuffed stuff(const BackgroundGrid& grid, const std::vector<bool>& inside,
              const std::function<double(const Vec3&, const Vec3&)>& crossing);

}  // namespace limber
