// What the modes leave out, near the nodes that others may touch: residual modes, for local detail
// (modal truncation augmentation; in the spirit of García et al. 2010 and Harmon & Zorin 2013).
//
// Symbols: c the contact nodes (N of them), E_j (3n×3) unit forces on contact node j,
//   K_res = K⁻¹ − ΦΛ⁻¹Φᵀ   flexibility that is left once the modes have given way (free bodies:
//                          K⁻¹ by inertia relief, in balance with the rigid motions),
//   χ_j = K_res E_j        its residual modes (3n×3), with ΦᵀMχ = 0 and ΦᵀKχ = 0,
//   K_χ = χᵀKχ             whose block (i, j) is χ_j at node i, m/N,
//   M_χ = χᵀMχ             kg m²/N².
// Under a constant force f on contact nodes Φq + χs = K⁻¹f with s = f: statics are exact.
//
// Blocks are stored for pairs of contact nodes that are near each other. Other nodes of the surface
// take their detail from up to four contact nodes around them.
//
// Where pairs are left out those that stay are tapered: leaving them out alone would make K_χ and
// M_χ indefinite where few modes leave much out, and a body with negative stiffness blows up.
#pragma once

#include <cstdint>

#include "limber/core/shared_array.h"
#include "limber/core/types.h"

namespace limber {

struct ResidualModes {
  static constexpr int kSources = 4;  ///< contact nodes that a node takes its detail from, at most

  SharedArray<std::int32_t> contact_nodes;  // N
  SharedArray<std::int32_t> offsets;        // N+1, into columns: pairs (i, j ≥ i), j ascending
  SharedArray<std::int32_t> columns;        // numbers of contact nodes
  SharedArray<double> K_blocks;             // 9 a pair, row by row
  SharedArray<double> M_blocks;             // 9 a pair, row by row
  SharedArray<std::int32_t> sources;        // 4 a node of the body: contact nodes, -1: none
  SharedArray<double> weights;              // 4 a node of the body
  SharedArray<double> reach;                // one, m: of the taper; 0: all pairs are there

  using Block = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
  [[nodiscard]] bool empty() const { return contact_nodes.empty(); }
  [[nodiscard]] int contact_node_count() const { return static_cast<int>(contact_nodes.size()); }
  /// The place of the pair (i, j), i ≤ j, among the pairs; -1: too far apart to be stored.
  [[nodiscard]] std::ptrdiff_t find(int i, int j) const;
  [[nodiscard]] Block K_block(std::ptrdiff_t pair) const {
    return Block(K_blocks.data() + 9 * pair);
  }
  [[nodiscard]] Block M_block(std::ptrdiff_t pair) const {
    return Block(M_blocks.data() + 9 * pair);
  }
};

/// What is left of a pair `distance` apart: one at no distance, nothing from `reach` on. A positive
/// definite function in space (Gaspari & Cohn 1999, eq. 4.10), so that by Schur's product theorem
/// matrices times it, entry by entry, stay positive definite: covariance tapering (Furrer, Genton &
/// Nychka 2006).
[[nodiscard]] double taper(double distance, double reach);

/// Tapers K_χ and M_χ of untapered modes. `rest_positions` (n×3) of the body's nodes; `reach` (m):
/// where pairs begin to be left out, 0: nowhere.
void taper_pairs(ResidualModes& modes, const Eigen::Ref<const Positions>& rest_positions,
                 double reach);
/// The same for modes that do not say where: from the farthest pair that is there on.
void taper_pairs(ResidualModes& modes, const Eigen::Ref<const Positions>& rest_positions);

}  // namespace limber
