// Nonlinear elasticity at full resolution: St. Venant–Kirchhoff and stable neo-Hookean bodies.
//
// Damping is that of the corotational stiffness: positive, and the same at rest.
#pragma once

#include "limber/dynamics/full_space/elasticity.h"

namespace limber {

/// `mesh` must outlive the result.
[[nodiscard]] std::unique_ptr<Elasticity> make_stvk_elasticity(const SimulatedMesh& mesh);
[[nodiscard]] std::unique_ptr<Elasticity> make_neo_hookean_elasticity(const SimulatedMesh& mesh);

}  // namespace limber
