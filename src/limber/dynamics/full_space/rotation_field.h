// Rotations at the nodes: averages of the tets' for preconditioning, and the two fields of
// stiffness warping (Müller et al. 2002, section 3.1).
#pragma once

#include <array>
#include <vector>

#include "limber/dynamics/full_space/full_body_options.h"
#include "limber/dynamics/full_space/simulated_mesh.h"
#include "limber/fem/tet_batches.h"

namespace limber {

/// One rotation for each free node, in lanes of eight like the tets'.
class NodeRotations {
 public:
  /// `mesh` must outlive this.
  explicit NodeRotations(const SimulatedMesh& mesh);

  /// The rotation nearest to the mean of the rotations of a node's tets.
  void average(const TetMatrices& tet_rotations);

  /// Of the free node with this number.
  [[nodiscard]] Mat3 operator[](int free_node) const { return matrix_of(rotations_, free_node); }
  [[nodiscard]] const TetMatrices& lanes() const { return rotations_; }
  void set(int free_node, const Mat3& matrix);
  /// Turns each matrix into the rotation nearest to it.
  void orthonormalise();

 private:
  const SimulatedMesh& mesh_;
  TetMatrices rotations_;
};

/// How far a node's edges have turned.
class EdgeRotations {
 public:
  /// `mesh` must outlive this.
  EdgeRotations(const SimulatedMesh& mesh, RotationField kind);

  void find(const Positions& positions, NodeRotations& rotations) const;

 private:
  void find_by_polar(const Positions& positions, NodeRotations& rotations) const;
  void find_by_frames(const Positions& positions, NodeRotations& rotations) const;

  /// Three neighbours whose edges make a good frame, and that frame at rest, transposed.
  struct Triple {
    std::array<int, 3> nodes;
    Mat3 rest_transposed;
  };
  [[nodiscard]] Triple best_triple(int node) const;

  const SimulatedMesh& mesh_;
  RotationField kind_;
  std::vector<Triple> triples_;  // of edge_frames
};

}  // namespace limber
