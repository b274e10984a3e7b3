// K and M of a distributed mesh as PETSc's matrices: each rank's rows from its own tets.
#pragma once

#include "limber/core/sparse.h"
#include "limber/fem/mass.h"
#include "limber/material/material.h"
#include "petsc.h"
#include "supports.h"

namespace limber {

/// On the free unknowns, both divided by the mean nodal mass, which keeps λ and makes M ≈ I.
struct DistributedSystem {
  OwnedMat K;          // MPIAIJ of 3×3 blocks
  OwnedMat M;          // [m_ij I₃]
  OwnedMat solved;     ///< what preconditioners and factors are made of: K + shift·M, definite
  double shift = 0;    ///< rad²/s², 0 when nothing can move rigidly; far below the lowest mode
  double scale = 1;    ///< kg: the mean nodal mass
  double highest = 0;  ///< rad²/s², max K_ii/M_ii: about a third of the mesh's highest eigenvalue
};

/// `m` (local nodes): scalar_mass() of the local mesh, whose owned rows are whole.
[[nodiscard]] DistributedSystem assemble(const Ranks& ranks, const DistributedMesh& mesh,
                                         const Materials& materials, const SparseMatrix& m,
                                         const Supports& supports, bool moves_rigidly);

}  // namespace limber
