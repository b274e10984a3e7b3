// The stiffness at rest with each node's own rotation on both sides (Müller et al. 2002, eq. 13):
//   f_i = −R_i Σ_j k_ij (R_jᵀ x_j − X_j)
//
// Symmetric, and unstable as the paper warns: a bent body that is shifted without being deformed
// meets a force, since Σ_j k_ij R_jᵀ is not zero. It is here to be compared with.
#pragma once

#include <vector>

#include "limber/dynamics/full_space/rotation_field.h"

namespace limber {

class SymmetricWarp {
 public:
  /// `mesh` must outlive this; K is that of all nodes.
  SymmetricWarp(const SimulatedMesh& mesh, const SparseMatrix& K);

  /// Takes the rotations of the free nodes; held ones turn as one, by shape matching.
  void turn(const NodeRotations& rotations, const Positions& x);
  /// forces_i −= R_i Σ_j k_ij (R_jᵀ x_j − X_j).
  void add_forces(const Positions& x, Positions& forces) const;
  /// out_i += factor · R_i Σ_j k_ij R_jᵀ x_j at the free nodes.
  void add_product(double factor, const Positions& x, Positions& out) const;
  /// A += factor · (R_i k_ij R_jᵀ).
  void add_to(double factor, BlockMatrix& A) const;

 private:
  void add_rows(double factor, const Positions& x, const Positions* rest, Positions& out) const;

  const SimulatedMesh& mesh_;
  Vector held_mass_;                       // 0 at free nodes
  std::vector<std::vector<Mat3>> blocks_;  // k_ij of each free node's neighbours, itself among them
  std::vector<Mat3> rotations_;            // of all nodes
};

}  // namespace limber
