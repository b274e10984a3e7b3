// A sum over many nodes from few of them, with weights that are never negative (An, Kim & James
// 2008, "Optimizing cubature for efficient integration of subspace deformations").
#pragma once

#include <functional>
#include <vector>

#include "limber/core/types.h"

namespace limber {

struct SparseRule {
  std::vector<int> places;  ///< among the candidates
  Vector weights;           ///< one a place, above zero
};

/// At most `count` of the candidates, found greedily so that Σ weight · column(candidate) comes
/// near `target`. `fill_column` gives a candidate's column, as long as the target. Always the same
/// rule for the same numbers.
[[nodiscard]] SparseRule find_sparse_rule(
    const Vector& target, int candidates, int count,
    const std::function<void(int candidate, Vector& column)>& fill_column);

}  // namespace limber
