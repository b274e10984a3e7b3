// Stiffness warping: the constant stiffness matrix, turned node by node (Müller et al. 2002, eq.
// 12).
//
//   f_i = −R_i Σ_j k_ij (R_iᵀ x_j − X_j)
// The matrix of blocks R_i k_ij R_iᵀ has no symmetry once the body bends.
#pragma once

#include "limber/dynamics/full_space/elasticity.h"

namespace limber {

/// `mesh` must outlive the result.
[[nodiscard]] std::unique_ptr<Elasticity> make_warped_elasticity(const SimulatedMesh& mesh,
                                                                 const FullBodyOptions& options);

}  // namespace limber
