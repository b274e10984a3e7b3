// Values of nodes that other ranks own.
#pragma once

#include <vector>

#include "ranks.h"

namespace limber {

/// Local nodes are those this rank owns, then ghosts: nodes of others that share a tet with them.
class Halo {
 public:
  Halo() = default;
  /// `numbers` of local nodes in the whole, owned ones first and ascending; `ghost_owners` of the
  /// rest.
  Halo(const Ranks& ranks, const std::vector<int>& numbers, int owned,
       const std::vector<int>& ghost_owners);

  /// Overwrites the ghosts' values (`width` a node, node by node) by their owners'.
  template <class T>
  void update(const Ranks& ranks, T* values, int width) const {
    std::vector<std::vector<T>> outgoing(ranks.size());
    for (int r = 0; r < ranks.size(); ++r) {
      outgoing[r].reserve(lent_[r].size() * static_cast<std::size_t>(width));
      for (const int node : lent_[r]) {
        const T* const row = values + static_cast<std::ptrdiff_t>(node) * width;
        outgoing[r].insert(outgoing[r].end(), row, row + width);
      }
    }
    const Delivery<T> incoming = ranks.exchange(outgoing);
    std::ptrdiff_t next = 0;
    for (const std::vector<int>& borrowed : borrowed_) {
      for (const int node : borrowed) {
        std::copy_n(incoming.items.data() + next * width, width,
                    values + static_cast<std::ptrdiff_t>(node) * width);
        ++next;
      }
    }
  }

 private:
  std::vector<std::vector<int>> lent_;      ///< owned nodes that each rank has as ghosts
  std::vector<std::vector<int>> borrowed_;  ///< ghosts by owner
};

}  // namespace limber
