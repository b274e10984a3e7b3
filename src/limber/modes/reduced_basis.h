// The space that a reduced body moves in: its lowest modes and what they become when they grow.
//
// Modes and their derivatives, each as large as a load that bends the first mode by a radian makes
// it (Barbič & James 2005, section 4.2), and shapes of the body bent and twisted far
// (grown_shapes.h). The lowest modes stay as they are; of the rest the r directions of most
// mass-weighted motion are kept (mass-PCA).
#pragma once

#include <vector>

#include "limber/fem/mass.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/modes/grown_shapes.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

struct ReducedBasis {
  Vector eigenvalues;   // r, ascending
  Eigen::MatrixXd Phi;  // 3n×r: ΦᵀMΦ = I, ΦᵀKΦ = diag(eigenvalues), zero at fixed nodes
  Eigen::MatrixXd
      grown;  // r×k: the shapes bent and twisted far, as near as the space comes to them
};

struct ReducedBasisOptions {
  int size = 30;        ///< r
  int kept_modes = 6;   ///< that stay what they are
  int grown_modes = 8;  ///< whose derivatives are taken
  GrownShapesOptions shapes{};
  MassKind mass = MassKind::consistent;  ///< as the model was baked
};

/// `model` was baked from the same mesh, materials and fixed nodes. Throws Error where the body has
/// too few unknowns.
[[nodiscard]] ReducedBasis reduced_basis(const TetMesh& mesh, const Materials& materials,
                                         const ModalModel& model,
                                         const ReducedBasisOptions& options = {},
                                         const Progress& progress = {});

}  // namespace limber
