// The surface of a tet mesh.
#pragma once

#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct Boundary {
  TriMesh surface;
  std::vector<int> nodes;  ///< the node of each surface vertex, ascending
};

/// The faces that belong to one tet only, seen counter-clockwise from outside, in the order of
/// their tets. Linear time.
Boundary boundary_surface(const TetMesh& mesh);

}  // namespace limber
