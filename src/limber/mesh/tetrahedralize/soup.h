// Any surface made ready for meshing: finite, welded, without triangles that say nothing.
#pragma once

#include <vector>

#include "limber/mesh/spatial/box.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct Soup {
  Positions V;  ///< welded vertices, each used by a triangle
  Triangles F;
  std::vector<int> vertex_of;    ///< for each vertex of the surface its place in V, or -1 if unused
  Box box;                       ///< of V
  double size = 0;               ///< the box's diagonal, m
  int degenerate_triangles = 0;  ///< dropped: two corners at one place
  int duplicate_triangles = 0;   ///< dropped: the same three corners again
};

/// Vertices nearer than this fraction of the surface's size are one: single-precision files place
/// the same point to about 6e-8 of its coordinates.
inline constexpr double kWeldFraction = 1e-7;

/// Throws Error when there are no triangles, an index or coordinate is bad, or the whole surface
/// has no area (a point, a line).
Soup make_soup(const TriMesh& surface);

}  // namespace limber
