// Elastic energies of small displacements by their strains.
//
// Where a stiff part moves as a whole, uᵀKu is a small difference of large numbers: rounding leaves
// ε‖K‖‖u‖² of it. Strains come from differences of displacements, so that what is rigid in a tet
// cancels before it is multiplied by a modulus.
#pragma once

#include <functional>

#include "limber/core/types.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

struct ElementGeometry;

/// UᵀKU (k×k), J, of displacements U (3n×k, node by node): Σ V (λ tr ε tr ε' + 2μ ε:ε') over the
/// tets that `counts` chooses; over all without it.
[[nodiscard]] Eigen::MatrixXd strain_gram(const TetMesh& mesh, const Materials& materials,
                                          const ElementGeometry& geometry,
                                          const Eigen::Ref<const Eigen::MatrixXd>& U,
                                          const std::function<bool(int tet)>& counts = {});

}  // namespace limber
