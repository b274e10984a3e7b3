// Stress of each tet, as von Mises' equivalent stress: what a tensile test of the same severity
// would read.
//
// σ_vM = √(3/2 s:s), s = σ − tr σ/3 I the deviator of Cauchy's stress σ. By law, with the
// deformation gradient F = ∂x/∂X, J = det F, Lamé's λ and μ:
//   linear        σ = 2μ ε + λ tr ε I, ε = sym F − I
//   corotational  the same with ε = S − I, F = R S (Müller & Gross 2004)
//   stvk          σ = F (2μ E + λ tr E I) Fᵀ / J, E = (FᵀF − I)/2
//   neo_hookean   σ = P Fᵀ / J, P = μ̂ (1 − 1/(|F|² + 1)) F + (λ̂ (J − 1) − μ) ∂J/∂F
//                 (Smith, de Goes & Kim 2018; constants as in neo_hookean.h)
// All agree for small strains. Turning a body changes none but the linear one.
#pragma once

#include "limber/core/types.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

enum class StressLaw { linear, corotational, stvk, neo_hookean };

/// Pa, one a tet, when the nodes stand at `positions` (n×3). Cauchy's stress of a tet without
/// volume has no end: one flatter than a hundredth of itself at rest counts as if it had that.
[[nodiscard]] Vector von_mises_stress(const TetMesh& mesh, const Materials& materials,
                                      StressLaw law, const Positions& positions);

}  // namespace limber
