// Fill-reducing orders for sparse Cholesky factors.
#pragma once

#include <vector>

#include "limber/core/sparse.h"

namespace limber {

/// Nested dissection (METIS) of a symmetric pattern whose unknowns come in groups of `block_size`
/// with the same neighbours: found on the graph of the groups, then expanded, which costs a
/// fraction and fills the same. Entry k is the unknown that is eliminated k-th.
[[nodiscard]] std::vector<int> nested_dissection(const SparseMatrix& A, int block_size);

}  // namespace limber
