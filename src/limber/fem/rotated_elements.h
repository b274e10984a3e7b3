// Corotational forces and products with the corotational stiffness, tet by tet, without a matrix.
//
// With ĝ_k = R g_k in place of g_k an element is the linear one turned: for Ĝ = Σ y_k ĝ_kᵀ the
// force at corner k is −(μ (Ĝ + Ĝᵀ) + λ tr Ĝ I) ĝ_k, which is −R K Rᵀ y; the rest shape adds (2μ +
// 3λ) ĝ_k. 60 products a tet, where assembling its blocks takes as long as five such passes.
// Symbols: as in tet_batches.h; R rotation, K element stiffness at rest.
#pragma once

#include <vector>

#include "limber/core/types.h"
#include "limber/fem/tet_batches.h"

namespace limber {

/// Rotations of the tets, and the tets with gradients that are turned by them.
struct RotatedElements {
  explicit RotatedElements(const TetBatches& source);

  TetMatrices rotations;
  std::vector<TetBatch> tets;
};

/// Rotations as tet_rotations() gives them.
void rotate_elements(const TetBatches& tets, const Positions& positions, RotatedElements& elements);

/// Adds the elastic forces (n×3) at `positions` with the rotations held: what
/// add_corotational_forces() adds.
void add_rotated_forces(const RotatedElements& elements, const Positions& positions,
                        Positions& forces);

/// y += factor · Σ R K Rᵀ x, n×3 both.
void add_rotated_product(const RotatedElements& elements, double factor, const Positions& x,
                         Positions& y);

}  // namespace limber
