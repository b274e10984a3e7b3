// Elements that carry one deformation gradient each: tets, or triangles of a thin shell.
//
// For a tet F = Σ_k x_k ∇N_kᵀ. A triangle has a fourth node above its plane (Sumner & Popović
// 2004), so that F n = n' √(a'/a): n, n' the unit normals at rest and posed, a, a' the areas. The
// fourth node belongs to one triangle alone and stands across its plane, so it drops out of the
// Poisson reconstruction exactly and is never an unknown.
//
// Symbols: n nodes, t elements, F (3×3) deformation gradient, B (9t×3n) its derivative at rest.
#pragma once

#include <span>
#include <vector>

#include "limber/core/sparse.h"
#include "limber/fem/operators.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct Elements {
  Positions rest;            // n×3, m
  Tets corners;              // t×4; a triangle repeats its first corner, with a zero gradient
  ShapeGradients gradients;  // t×12, 1/m; of a triangle within its plane
  Vector weights;            // t, volume in m³ or area in m²
  Positions normals;         // t×3, unit; empty for tets
  Vector node_weights;       // n, each node's share of its elements; 0 for nodes of no element
  std::vector<int> parts;    // n, the connected part of a node; -1 for nodes of no element
  int part_count = 0;

  /// Across faces of tets, across edges of triangles; parts that touch in less are linked once.
  [[nodiscard]] std::span<const int> neighbours(int element) const {
    return {neighbour_list.data() + neighbour_offsets[element],
            neighbour_list.data() + neighbour_offsets[element + 1]};
  }
  std::vector<int> neighbour_offsets;  // t+1
  std::vector<int> neighbour_list;

  [[nodiscard]] int node_count() const { return static_cast<int>(rest.rows()); }
  [[nodiscard]] int element_count() const { return static_cast<int>(corners.rows()); }
  [[nodiscard]] int corner_count() const { return normals.rows() == 0 ? 4 : 3; }
  [[nodiscard]] bool is_shell() const { return normals.rows() > 0; }
  [[nodiscard]] Eigen::Map<const Vec3> gradient(int element, int corner) const {
    return Eigen::Map<const Vec3>(gradients.data() + 12 * element + 3 * corner);
  }

  /// F of one element when the nodes stand at `pose` (n×3).
  [[nodiscard]] Mat3 deformation_gradient(const Positions& pose, int element) const;
  /// B u of one element: how F changes with displacements u (n×3) at rest. Linear in u.
  [[nodiscard]] Mat3 gradient_change(const Positions& displacements, int element) const {
    return gradient_change(displacements.data(), element);
  }
  [[nodiscard]] Mat3 gradient_change(const double* displacements, int element) const;
  /// The D' for which ⟨B u, D⟩ = Σ_k u_k·D' ∇N_k, so that Bᵀ D comes node by node.
  [[nodiscard]] Mat3 gradient_change_transposed(const Mat3& D, int element) const;
};

/// The w for which [w]× is the skew part of A.
[[nodiscard]] inline Vec3 axial(const Mat3& A) {
  return 0.5 * Vec3(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1));
}

/// Throws Error when the mesh is not fit for use (mesh/checks.h).
[[nodiscard]] Elements elements_of(const TetMesh& mesh);
/// The surface may be open; triangles without area are refused by number.
[[nodiscard]] Elements elements_of(const TriMesh& surface);

/// The mean of the positions by node weight, one row a part (parts×3).
[[nodiscard]] Positions barycentres(const Elements& elements, const Positions& pose);

/// Throws Error unless the pose has as many rows as there are nodes and finite numbers only.
void check_pose(const Elements& elements, const Positions& pose, const std::string& where);

}  // namespace limber
