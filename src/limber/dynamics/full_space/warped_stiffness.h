// The rows of the stiffness at rest, each turned by its node's rotation, without assembling them:
//   (K' x)_i = R_i Σ_j k_ij R_iᵀ x_j        (Müller et al. 2002, eq. 12)
//
// Uniform displacements meet no force, Σ_j k_ij = 0: positions are taken relative to the node's own
// and k_ii is not needed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "limber/dynamics/full_space/rotation_field.h"

namespace limber {

inline constexpr int kNeighbourLanes = 4;

/// Four neighbours of a node: k_ij, entry (r, c) at 3r+c. Rows are filled up with the node itself
/// and zeros.
struct alignas(64) NeighbourLanes {
  std::array<std::array<double, kNeighbourLanes>, 9> block;
  std::array<std::int32_t, kNeighbourLanes> node;
};

class WarpedStiffness {
 public:
  /// `mesh` must outlive this; K is that of all nodes.
  WarpedStiffness(const SimulatedMesh& mesh, const SparseMatrix& K);

  /// out_i += factor · (K' x)_i at the free nodes; x and out are fields over all nodes.
  void add_product(double factor, const NodeRotations& rotations, const Positions& x,
                   Positions& out) const;
  /// forces_i −= R_i Σ_j k_ij (R_iᵀ x_j − X_j).
  void add_forces(const NodeRotations& rotations, const Positions& x, Positions& forces) const;
  /// A += factor · K'.
  void add_to(double factor, const NodeRotations& rotations, BlockMatrix& A) const;

 private:
  const SimulatedMesh& mesh_;
  std::vector<int> offsets_;  // of each free node's lanes, and one past the last
  std::vector<NeighbourLanes> lanes_;
  Eigen::Matrix3Xd rest_forces_;  // Σ_j k_ij (X_j − X_i)
};

}  // namespace limber
