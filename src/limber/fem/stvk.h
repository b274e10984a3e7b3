// Nonlinear elasticity with Green's strain and a linear law (St. Venant–Kirchhoff).
//
// W = V (μ |E|² + λ/2 tr²E), E = (FᵀF − I)/2, S = 2μE + λ tr E I (second Piola–Kirchhoff stress).
// Under strong compression the law softens and lets tets turn inside out without resistance:
// callers watch for that through smallest_volume_ratio().
#pragma once

#include "limber/core/types.h"
#include "limber/fem/block_matrix.h"
#include "limber/fem/tet_batches.h"

namespace limber {

/// Adds the elastic forces −∂W/∂x (n×3); returns W, J.
double add_stvk_forces(const TetBatches& tets, const Positions& positions, Positions& forces);

/// W alone.
[[nodiscard]] double stvk_energy(const TetBatches& tets, const Positions& positions);

/// A += material · (the part of ∂²W/∂x² that comes from the law: never of negative curvature)
/// + geometric · (the part that comes from the present stress: negative under compression).
void add_stvk_tangent(const TetBatches& tets, const Positions& positions, double material,
                      double geometric, const TetSlots& slots, BlockMatrix& A);

struct VolumeRatio {
  double ratio = 1;  ///< det F: below zero a tet is inside out
  int tet = -1;
};
/// The tet that has shrunk most.
[[nodiscard]] VolumeRatio smallest_volume_ratio(const TetBatches& tets, const Positions& positions);

}  // namespace limber
