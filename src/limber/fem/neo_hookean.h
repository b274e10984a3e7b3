// Nonlinear elasticity that survives any deformation: the stable neo-Hookean law of Smith, de Goes
// & Kim 2018.
//
// W = V (μ̂/2 (I − 3) − b μ̂/2 ln((I + 1)/4) + λ̂/2 (J − 1)² − μ (J − 1)), I = |F|², J = det F.
// This is the paper's μ̂/2 (I − 3) + λ̂/2 (J − α)² − μ̂/2 ln(I + 1) up to a constant, α = 1 + μ/λ̂; b =
// 1 is its origin barrier, without which a tet that has shrunk to a point stays one. Any F has
// finite energy and stress, also flat and inverted ones, and only the rotations of the rest shape
// have none.
//
// Lamé's constants. Small strains agree with λ, μ of E and ν if μ̂ = μ / (1 − b/4) and
// λ̂ = λ + μ − b μ̂/8: with the barrier 4/3 μ and λ + 5/6 μ (the paper's section 3.4), without it μ
// and λ + μ.
//
// At constant volume b = 0 is the classic μ/2 (I − 3), and so is CalculiX's *HYPERELASTIC, NEO
// HOOKE, which at other volumes has C10 (J^(−2/3) I − 3) + (J − 1)²/D1: other stresses where J is
// not 1, and infinite ones at J = 0. b = 1 is stiffer by (I − 3)/24 of itself.
#pragma once

#include "limber/core/types.h"
#include "limber/fem/block_matrix.h"
#include "limber/fem/tet_batches.h"

namespace limber {

struct NeoHookean {
  double origin_barrier = 1;  ///< b: 1 the paper's law, 0 the classic one at constant volume
};

/// Adds the elastic forces −∂W/∂x (n×3); returns W, J.
double add_neo_hookean_forces(const TetBatches& tets, const NeoHookean& law,
                              const Positions& positions, Positions& forces);

/// W alone.
[[nodiscard]] double neo_hookean_energy(const TetBatches& tets, const NeoHookean& law,
                                        const Positions& positions);

/// A += scale · ∂²W/∂x²: indefinite under strong compression and where tets are inverted.
void add_exact_neo_hookean_tangent(const TetBatches& tets, const NeoHookean& law,
                                   const Positions& positions, double scale, const TetSlots& slots,
                                   BlockMatrix& A);

/// The same with each tet's negative curvatures in F set to zero (the paper's section 4): positive
/// semi-definite. `rotations` must belong to `positions`, as tet_rotations() gives them.
void add_safe_neo_hookean_tangent(const TetBatches& tets, const NeoHookean& law,
                                  const TetMatrices& rotations, const Positions& positions,
                                  double scale, const TetSlots& slots, BlockMatrix& A);

}  // namespace limber
