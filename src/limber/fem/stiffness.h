// The stiffness matrix of linear tetrahedra, small displacements, isotropic material per region.
#pragma once

#include "limber/core/sparse.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

/// K (3n×3n), N/m, symmetric and stored whole; unknown 3i+c is component c of node i.
[[nodiscard]] SparseMatrix stiffness(const TetMesh& mesh, const Materials& materials);

}  // namespace limber
