// How modes bend when they grow: static modal derivatives (Barbič & James 2005, section 4).
//
// Under loads that are linear in the amplitudes p a body takes u = Σ φ_i p_i + ½ Σ Θ_ij p_i p_j + …
// with K Θ_ij = −(H : φ_j) φ_i, H the derivative of the stiffness at rest. H is that of Green's
// strain (StVK), whose forces are cubic in u: Q(u, u), their quadratic part, is found exactly from
// forces at ±u, and (H : φ_j) φ_i = 2 Q(φ_i, φ_j).
#pragma once

#include <vector>

#include "limber/core/types.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

/// Θ_ij for i ≤ j, 3n×k(k+1)/2: (0,0), (0,1), … (0,k−1), (1,1), …; zero at fixed nodes. For bodies
/// that can move rigidly by inertia relief: the loads' rigid part is balanced by inertia, and Θ is
/// M-orthogonal to rigid motions. `Phi` (3n×k) are modes of the same mesh.
[[nodiscard]] Eigen::MatrixXd modal_derivatives(const TetMesh& mesh, const Materials& materials,
                                                const std::vector<int>& fixed_nodes,
                                                const Eigen::Ref<const Eigen::MatrixXd>& Phi);

}  // namespace limber
