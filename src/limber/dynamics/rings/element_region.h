// Corotational elements around a region of nodes: how far their forces are from those of the linear
// law that the modes and their detail obey.
//
// Symbols: u (m) displacement of a node before it is turned, x = X + R~ u where it stands in the
// body's frame, R its rotation exp(Ψq), R~ the mean of the rotations on the way (Choi & Ko 2005,
// eq. 14), F(x) the forces of corotational elements (fem/corotational.h).
//   r = K u + Rᵀ F(x):
// zero for small strains, and what bends, shears and presses beyond them adds to M ü + K u = Rᵀ f.
#pragma once

#include <span>
#include <vector>

#include "limber/dynamics/rings/nodal_rows.h"
#include "limber/fem/corotational.h"
#include "limber/fem/node_graph.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

class ElementRegion {
 public:
  /// `rows` must outlive this; `mesh` is copied.
  ElementRegion(const TetMesh& mesh, const Materials& materials, const ModalModel& model,
                const NodalRows& rows);

  /// The elements that these nodes belong to. Allocates.
  void set_nodes(std::span<const int> nodes);
  /// All nodes of the elements, ascending.
  [[nodiscard]] std::span<const int> nodes() const { return nodes_; }
  /// u of one of nodes().
  void set_displacement(int node, const Vec3& u) {
    u_[static_cast<std::size_t>(node)] = u;
  }
  /// r of the nodes of set_nodes(), 3 each, at modal amplitudes q.
  void law_difference(const Vector& q, Eigen::Ref<Vector> r);

 private:
  TetMesh mesh_;
  Materials materials_;
  ModalModel model_;
  const NodalRows& rows_;
  NodeGraph graph_;
  ElementGeometry geometry_;
  std::vector<int> inner_, nodes_, tet_list_;
  TetBatches tets_;
  TetMatrices rotations_;
  std::vector<Vec3> u_;           // of all nodes; only nodes() mean anything
  Positions positions_, forces_;  // likewise
};

}  // namespace limber
