// Taking fixed nodes out of a system and putting solutions back.
#pragma once

#include <vector>

#include "limber/core/sparse.h"
#include "limber/core/types.h"

namespace limber {

/// Throws Error: nothing is left that could move.
[[noreturn]] void refuse_all_fixed(int node_count);

/// Which unknowns are free when some nodes are held.
class FreeDofs {
 public:
  /// `fixed_nodes` may be in any order and hold repeats. Throws Error when one is out of range or
  /// when nothing is left free.
  FreeDofs(int node_count, const std::vector<int>& fixed_nodes);

  [[nodiscard]] int node_count() const { return static_cast<int>(free_of_node_.size()); }
  /// Ascending numbers of the free nodes.
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }
  /// Ascending numbers of the fixed nodes, each once.
  [[nodiscard]] const std::vector<int>& fixed_nodes() const { return fixed_; }
  /// Position of a node among the free ones, or -1.
  [[nodiscard]] int free_index(int node) const { return free_of_node_[node]; }

  /// Rows and columns of the free nodes of a matrix with `block` unknowns a node.
  [[nodiscard]] SparseMatrix reduce(const SparseMatrix& A, int block) const;
  /// Rows of the free nodes of a stacked field (3n×k).
  [[nodiscard]] Eigen::MatrixXd reduce(const Eigen::Ref<const Eigen::MatrixXd>& field) const;
  /// Back to 3n×k, zero at fixed nodes.
  [[nodiscard]] Eigen::MatrixXd expand(const Eigen::Ref<const Eigen::MatrixXd>& free_field) const;

 private:
  std::vector<int> nodes_;
  std::vector<int> fixed_;
  std::vector<int> free_of_node_;
};

}  // namespace limber
