// Shapes of a body bent and twisted far, by corotational FEM with every node free: what a reduced
// space must hold beside its modes and their derivatives.
//
// Derivatives are right to second order; a twist by half a turn needs fields of all orders. So the
// body is put under its weight in ten directions, and its ends (extremities.h) are held and turned
// about their limb by half a turn both ways.
#pragma once

#include "limber/core/progress.h"
#include "limber/core/sparse.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

struct GrownShapesOptions {
  int twisted_ends = 2;  ///< at most
  double bend = 2.2;     ///< rad that weight would turn a linear body by: a tip sag of 0.8 lengths
};

/// Displacements, 3n×k; zero at fixed nodes, and for free bodies without their rigid part: turned
/// back, and M-orthogonal to rigid motions. Shapes that did not converge are left out.
[[nodiscard]] Eigen::MatrixXd grown_shapes(const TetMesh& mesh, const Materials& materials,
                                           const std::vector<int>& fixed_nodes,
                                           const SparseMatrix& M,
                                           const GrownShapesOptions& options = {},
                                           const Progress& progress = {});

}  // namespace limber
