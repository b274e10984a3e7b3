// Differential operators on nodal displacements u (3n, node by node) of a tet mesh.
#pragma once

#include <vector>

#include "limber/core/sparse.h"
#include "limber/core/types.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

class NodeGraph;

/// Gradients of the four shape functions of each tet, 1/m: row t holds ∇N₀ ∇N₁ ∇N₂ ∇N₃, twelve
/// numbers. They sum to zero.
using ShapeGradients = Eigen::Matrix<double, Eigen::Dynamic, 12, Eigen::RowMajor>;

/// Shape gradients (t×12) and volumes (t, m³) together, since one falls out of the other.
struct ElementGeometry {
  ShapeGradients gradients;
  Vector volumes;

  [[nodiscard]] Eigen::Map<const Vec3> gradient(int tet, int corner) const {
    return Eigen::Map<const Vec3>(gradients.data() + 12 * tet + 3 * corner);
  }
};
[[nodiscard]] ElementGeometry element_geometry(const TetMesh& mesh);

/// G (9t×3n): row 9t+3i+j of G u is ∂u_i/∂x_j in tet t, so G x gives deformation gradients.
[[nodiscard]] SparseRows gradient_operator(const TetMesh& mesh);

/// W (3n×3n): rotation vectors ½ ∇×u at the nodes, the plain average over each node's tets
/// (Choi & Ko 2005, eqs. 3, 7, 8 and footnote 1). Nodes without a tet do not rotate.
[[nodiscard]] SparseRows curl_operator(const TetMesh& mesh);
[[nodiscard]] SparseRows curl_operator(const TetMesh& mesh, const ElementGeometry& geometry,
                                       const NodeGraph& graph);

/// The deformation gradient of each tet when the nodes stand at `positions` (n×3).
[[nodiscard]] std::vector<Mat3> deformation_gradients(const TetMesh& mesh,
                                                      const ElementGeometry& geometry,
                                                      const Positions& positions);

}  // namespace limber
