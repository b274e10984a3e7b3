// The surface of a tet mesh.
#pragma once

#include <array>
#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct Boundary {
  TriMesh surface;
  std::vector<int> nodes;  ///< the node of each surface vertex, ascending
};

/// Corners of the face opposite each tet corner, counter-clockwise seen from outside.
inline constexpr std::array<std::array<int, 3>, 4> kTetFaces = {
    {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// The faces that belong to one tet only, each as 4·tet + number of the opposite corner, ascending.
std::vector<int> boundary_faces(const TetMesh& mesh);

/// The faces that belong to one tet only, seen counter-clockwise from outside, in the order of
/// their tets. Linear time.
Boundary boundary_surface(const TetMesh& mesh);

}  // namespace limber
