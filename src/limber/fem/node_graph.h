// Which nodes share a tet, and which tets share a node: the pattern of every nodal matrix.
#pragma once

#include <span>
#include <vector>

#include "limber/mesh/tet_mesh.h"

namespace limber {

/// Built once a mesh; rows are filled node by node from it, without triplets and without sorting.
class NodeGraph {
 public:
  explicit NodeGraph(const TetMesh& mesh);

  [[nodiscard]] int node_count() const { return static_cast<int>(offsets_.size()) - 1; }
  /// Number of (node, neighbour) pairs, each node its own neighbour.
  [[nodiscard]] int entry_count() const { return offsets_.back(); }
  /// First entry of a node's row among all entries.
  [[nodiscard]] int offset(int node) const { return offsets_[node]; }
  /// A node's neighbours in ascending order, itself among them.
  [[nodiscard]] std::span<const int> neighbours(int node) const {
    return {neighbours_.data() + offsets_[node], neighbours_.data() + offsets_[node + 1]};
  }
  /// The tets around a node, each as 4·tet + which of its corners the node is.
  [[nodiscard]] std::span<const int> corners(int node) const {
    return {corners_.data() + corner_offsets_[node], corners_.data() + corner_offsets_[node + 1]};
  }

 private:
  void collect_corners(const TetMesh& mesh);
  void collect_neighbours(const TetMesh& mesh);

  std::vector<int> offsets_;
  std::vector<int> neighbours_;
  std::vector<int> corner_offsets_;
  std::vector<int> corners_;
};

/// Where each neighbour of the current node stands in its row; O(1) look-up while a row is filled.
class RowSlots {
 public:
  explicit RowSlots(const NodeGraph& graph) : graph_(graph), slot_(graph.node_count()) {}

  void select(int node) {
    int slot = 0;
    for (const int neighbour : graph_.neighbours(node)) slot_[neighbour] = slot++;
  }
  /// Only for neighbours of the node selected last.
  [[nodiscard]] int operator[](int neighbour) const { return slot_[neighbour]; }

 private:
  const NodeGraph& graph_;  // outlived by the graph: slots live inside one assembly
  std::vector<int> slot_;
};

}  // namespace limber
