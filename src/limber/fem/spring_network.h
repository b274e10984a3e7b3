// A network of springs along a tet mesh's edges, as a stiffness matrix at rest.
//
// Each tet gives its six edges E V / L² (Van Gelder 1998): the network then resists stretching
// about as the material does. It has no Poisson's ratio of its own to choose; a regular network
// behaves like 1/4.
#pragma once

#include "limber/core/sparse.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

/// K (3n×3n), N/m: the derivative of the springs' forces at rest, block (i, j) = −k e eᵀ with e the
/// edge's direction. The pattern is that of stiffness().
[[nodiscard]] SparseMatrix spring_stiffness(const TetMesh& mesh, const Materials& materials);

}  // namespace limber
