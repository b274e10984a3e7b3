// Which things belong together, when told pair by pair.
#pragma once

#include <numeric>
#include <vector>

namespace limber {

class UnionFind {
 public:
  explicit UnionFind(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  int root(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The smaller root stays, so roots do not depend on the order of calls.
  void join(int i, int j) {
    i = root(i);
    j = root(j);
    if (i < j) parent_[j] = i;
    if (j < i) parent_[i] = j;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace limber
