// How nodes move when others are pushed, P among a few of them, in the nodes' rest frames. There it
// never changes while the step stays the same: a node that was asked for once is known from then
// on.
#pragma once

#include <vector>

#include "limber/core/state_archive.h"
#include "limber/dynamics/full_space/krylov.h"

namespace limber {

class NodeCompliance {
 public:
  /// `size`: unknowns. Nothing is allocated after construction.
  NodeCompliance(int size, int most_nodes);

  /// Where the node's blocks are, learning it by `rest`, P at rest, when it is not known; −1 where
  /// there is no room. The order of learning decides the last bits.
  int slot_of(int row, const Preconditioner& rest);
  /// Makes room.
  void forget();
  [[nodiscard]] bool knows_none() const { return known_.empty(); }

  /// P of the nodes in two slots, 3×3.
  [[nodiscard]] Mat3 operator()(int a, int b) const {
    return matrix_.block<3, 3>(3 * a, 3 * b).cast<double>();
  }
  [[nodiscard]] float trace(int slot) const {
    return matrix_.block<3, 3>(3 * slot, 3 * slot).trace();
  }

  /// Which nodes are known, in order: those that a snapshot knew come back first.
  void archive(StateArchive& state, const Preconditioner& rest);

 private:
  void learn(int row, const Preconditioner& rest);

  int most_;
  std::vector<int> slots_;  // of each row, −1: not known
  std::vector<int> known_;  // rows, by slot
  Eigen::MatrixXf matrix_;
  Vector unit_, moved_;  // scratch
};

}  // namespace limber
