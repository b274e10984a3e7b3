// What stays the same while a full-resolution body moves: its tets in lanes, which nodes are free,
// its mass.
//
// Vectors over the free nodes (3f numbers) and fields over all nodes (n×3) both occur: `gather` and
// `add_scattered` go from one to the other.
#pragma once

#include <memory>
#include <vector>

#include "limber/core/sparse.h"
#include "limber/fem/block_matrix.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/mass.h"
#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"
#include "limber/fem/tet_batches.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

class SimulatedMesh {
 public:
  /// `held_nodes` do not move by themselves; nodes without a tet are held too. Throws Error for bad
  /// meshes and materials, and when nothing is left free.
  SimulatedMesh(TetMesh mesh, Materials materials, const std::vector<int>& held_nodes,
                MassKind mass_kind);

  [[nodiscard]] const TetMesh& mesh() const { return mesh_; }
  [[nodiscard]] const Materials& materials() const { return materials_; }
  [[nodiscard]] const ElementGeometry& geometry() const { return geometry_; }
  [[nodiscard]] const NodeGraph& graph() const { return graph_; }
  [[nodiscard]] const FreeDofs& free() const { return free_; }
  [[nodiscard]] const TetBatches& tets() const { return tets_; }
  [[nodiscard]] const TetSlots& slots() const { return slots_; }
  [[nodiscard]] const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
  [[nodiscard]] int node_count() const { return mesh_.node_count(); }
  [[nodiscard]] int free_count() const { return static_cast<int>(free_.nodes().size()); }

  /// The mass that uniform acceleration meets at each node, kg: the row sums of M.
  [[nodiscard]] const Vector& node_mass() const { return node_mass_; }
  [[nodiscard]] double total_mass() const { return node_mass_.sum(); }

  /// out = M field, all nodes.
  void multiply_mass(const Positions& field, Positions& out) const;
  /// ½ vᵀ M v.
  [[nodiscard]] double kinetic_energy(const Positions& velocities) const;
  /// A = factor · M over the free nodes.
  void set_mass(double factor, BlockMatrix& A) const;

  void gather(const Positions& field, Vector& values) const;
  /// field += factor · values at the free nodes.
  void add_scattered(double factor, const Vector& values, Positions& field) const;

 private:
  TetMesh mesh_;
  Materials materials_;
  ElementGeometry geometry_;
  NodeGraph graph_;
  FreeDofs free_;
  std::shared_ptr<const BlockPattern> pattern_;
  TetBatches tets_;
  TetSlots slots_;
  bool lumped_;                     // mass_ is diagonal
  SparseMatrix mass_;               // m_ij, all nodes; symmetric
  std::vector<double> block_mass_;  // m_ij of each block of the pattern
  Vector node_mass_;
};

}  // namespace limber
