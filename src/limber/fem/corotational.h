// Linear elasticity in a rotated frame for each tet (Müller & Gross 2004).
//
// W = V (μ |ε|² + λ/2 tr²ε), ε = sym(RᵀF) − I with R the rotation nearest to F. Its gradient is the
// paper's force R K (Rᵀx − X), so R's own change adds nothing to first order.
// Symbols: F deformation gradient, S = RᵀF stretch, K element stiffness at rest.
#pragma once

#include "limber/core/types.h"
#include "limber/fem/block_matrix.h"
#include "limber/fem/tet_batches.h"

namespace limber {

/// R of every tet when the nodes stand at `positions` (n×3): the rotation nearest to F, always a
/// rotation, also of flat and inverted tets. `rotations` has one entry a batch.
void tet_rotations(const TetBatches& tets, const Positions& positions, TetMatrices& rotations);

/// The rotation nearest to each of the matrices, in place.
void nearest_rotations(TetMatrices& matrices);

/// Adds the elastic forces −∂W/∂x (n×3) for given rotations; returns W, J.
double add_corotational_forces(const TetBatches& tets, const TetMatrices& rotations,
                               const Positions& positions, Positions& forces);

/// W alone.
[[nodiscard]] double corotational_energy(const TetBatches& tets, const TetMatrices& rotations,
                                         const Positions& positions);

/// A += scale · Σ R K Rᵀ: symmetric, positive semi-definite, the forces' derivative with the
/// rotations held.
void add_corotational_tangent(const TetBatches& tets, const TetMatrices& rotations, double scale,
                              const TetSlots& slots, BlockMatrix& A);

/// A += scale · ∂²W/∂x², the turning of R included; `rotations` must belong to `positions`.
/// Indefinite under compression, and without meaning where the nearest rotation is not unique.
void add_exact_corotational_tangent(const TetBatches& tets, const TetMatrices& rotations,
                                    const Positions& positions, double scale, const TetSlots& slots,
                                    BlockMatrix& A);

}  // namespace limber
