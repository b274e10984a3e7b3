// The space that a reduced body moves in: its lowest modes and what they become when they grow.
//
// Modes and their derivatives, each as large as a load that bends the first mode by a radian makes
// it (Barbič & James 2005, section 4.2). The lowest modes stay as they are; of the rest the r
// directions of most mass-weighted motion are kept (mass-PCA).
#pragma once

#include <vector>

#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

struct ReducedBasis {
  Vector eigenvalues;   // r, ascending
  Eigen::MatrixXd Phi;  // 3n×r: ΦᵀMΦ = I, ΦᵀKΦ = diag(eigenvalues), zero at fixed nodes
};

struct ReducedBasisOptions {
  int size = 30;        ///< r
  int grown_modes = 8;  ///< whose derivatives are taken
};

/// `model` was baked from the same mesh, materials and fixed nodes. Throws Error where the body has
/// too few unknowns.
[[nodiscard]] ReducedBasis reduced_basis(const TetMesh& mesh, const Materials& materials,
                                         const ModalModel& model,
                                         const ReducedBasisOptions& options = {});

}  // namespace limber
