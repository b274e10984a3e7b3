// The stiffness matrix of linear tetrahedra, small displacements, isotropic material per region.
#pragma once

#include "limber/core/sparse.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

class NodeGraph;
struct ElementGeometry;

/// K (3n×3n), N/m, symmetric and stored whole; unknown 3i+c is component c of node i.
[[nodiscard]] SparseMatrix stiffness(const TetMesh& mesh, const Materials& materials);
[[nodiscard]] SparseMatrix stiffness(const TetMesh& mesh, const Materials& materials,
                                     const ElementGeometry& geometry, const NodeGraph& graph);

/// The 12×12 stiffness of one tet from its shape gradients (3×4) and volume: block (a, b) is
/// V (λ ∇N_a ∇N_bᵀ + μ ∇N_b ∇N_aᵀ + μ (∇N_a·∇N_b) I).
[[nodiscard]] Eigen::Matrix<double, 12, 12> element_stiffness(
    const Eigen::Matrix<double, 3, 4>& gradients, double volume, const Material& material);

}  // namespace limber
