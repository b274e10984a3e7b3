// A soft figure with head, arms and legs: something to hold by its limbs.
#pragma once

#include "limber/mesh/tet_mesh.h"

namespace limber {

/// Stands on y = 0, faces +z, arms out along x; `cells` cubes of six tets along its height, those
/// whose centre lies in the figure, smoothed. At least 12 cells: below, arms fall off.
[[nodiscard]] TetMesh figure(double height, int cells);

}  // namespace limber
