// Sharp edges and corners of a surface, and drawing the nodes of a conforming mesh onto them: a
// lattice knows nothing of them and cuts them off by up to half a cell.
#pragma once

#include <vector>

#include "limber/mesh/spatial/triangle_tree.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tetrahedralize/roles.h"

namespace limber {

struct SharpFeatures {
  TriangleTree edges;         ///< as triangles with two equal corners
  std::vector<Vec3> corners;  ///< where other than two sharp edges meet

  [[nodiscard]] bool empty() const { return edges.empty(); }
};

/// Of the walls only.
SharpFeatures find_sharp_features(const Soup& body, const Roles& roles);

/// Moves surface nodes within `reach` onto corners, then onto edges, as far as no dihedral angle
/// falls below what is wanted of every tet.
void snap_to(const SharpFeatures& features, double reach, const std::vector<bool>& on_surface,
             TetMesh& mesh);

}  // namespace limber
