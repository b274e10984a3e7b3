// Which things belong together, when told pair by pair.
#pragma once

#include <numeric>
#include <utility>
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
  bool same(int i, int j) { return root(i) == root(j); }

  /// The set of each thing, counted from 0 in the order of first members, and how many there are.
  std::pair<std::vector<int>, int> numbered() {
    std::vector<int> number(parent_.size(), -1);
    int count = 0;
    for (int i = 0; i < static_cast<int>(parent_.size()); ++i) {
      const int first = root(i);
      number[i] = first == i ? count++ : number[first];
    }
    return {std::move(number), count};
  }

 private:
  std::vector<int> parent_;
};

}  // namespace limber
