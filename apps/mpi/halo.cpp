#include "halo.h"

#include <algorithm>

namespace limber {

Halo::Halo(const Ranks& ranks, const std::vector<int>& numbers, int owned,
           const std::vector<int>& ghost_owners)
    : lent_(ranks.size()), borrowed_(ranks.size()) {
  std::vector<std::vector<int>> wanted(ranks.size());
  for (std::size_t g = 0; g < ghost_owners.size(); ++g) {
    const int node = owned + static_cast<int>(g);
    borrowed_[ghost_owners[g]].push_back(node);
    wanted[ghost_owners[g]].push_back(numbers[node]);
  }
  const Delivery<int> asked = ranks.exchange(wanted);
  for (int r = 0; r < ranks.size(); ++r) {
    for (int k = asked.begin[r]; k < asked.begin[r + 1]; ++k) {
      const auto found = std::lower_bound(numbers.begin(), numbers.begin() + owned, asked.items[k]);
      lent_[r].push_back(static_cast<int>(found - numbers.begin()));
    }
  }
}

}  // namespace limber
