// Rotations at the nodes: averages of the tets' for preconditioning, and the fields of stiffness
// warping (Müller et al. 2002, sections 3 and 3.1).
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
  [[nodiscard]] TetMatrices& lanes() { return rotations_; }
  void set(int free_node, const Mat3& rotation);
  /// The same rotation at every node.
  void set_all(const Mat3& rotation);
  /// Turns each matrix into the rotation nearest to it.
  void orthonormalise();

 private:
  const SimulatedMesh& mesh_;
  TetMatrices rotations_;
};

/// How far points have turned as a whole from X to x, by their masses: R_b of Müller et al. 2002,
/// eq. 11, whose rigid frame the paper leaves open.
[[nodiscard]] Mat3 shape_matching_rotation(const Vector& mass, const Positions& X,
                                           const Positions& x);

/// For eight nodes: the node and three neighbours, and the frame of their edges at rest by rows.
struct alignas(64) FrameLanes {
  std::array<TetLanes<std::int32_t>, 4> nodes;
  BatchMatrices rest;
};

/// The edges u_ij = w_ij (X_j − X_i) of all free nodes at rest, w 1 for the stiffest, such that
/// Σ_j (x_j − x_i) u_ijᵀ is the sum of x_k u_kᵀ: the last of a node is its own, minus all others.
struct RestEdges {
  std::vector<int> offsets;  ///< of each free node's first edge, and one past the last
  std::vector<int> nodes;
  std::vector<std::array<double, 4>> edges;  ///< u and 0
};

/// How far a node's edges, or all nodes, have turned.
class EdgeRotations {
 public:
  /// `mesh` must outlive this.
  EdgeRotations(const SimulatedMesh& mesh, RotationField kind);

  void find(const Positions& positions, NodeRotations& rotations) const;

 private:
  void find_by_polar(const Positions& positions, NodeRotations& rotations) const;
  void collect_edges();
  void choose_frames();
  [[nodiscard]] std::array<int, 4> best_star(int node) const;

  const SimulatedMesh& mesh_;
  RotationField kind_;
  RestEdges rest_;                  // of edges_polar
  std::vector<FrameLanes> frames_;  // of edge_frames
};

}  // namespace limber
