// What finding modes around a factor of K takes, before it is begun.
#pragma once

#include "limber/mesh/tet_mesh.h"

namespace limber {

/// Numbers in the factor of K for this mesh, all nodes free: the elimination of its graph of nodes
/// in the order that Cholesky would use, each pair of nodes a dense block. Takes about as long as
/// finding that order.
[[nodiscard]] double factor_numbers(const TetMesh& mesh);

/// Bytes at the peak of `modal_analysis` around that factor, for `count` modes.
[[nodiscard]] double direct_bytes(const TetMesh& mesh, double factor_numbers, int count);

/// A bound on factor_numbers() that needs no order: compact bodies stay below.
[[nodiscard]] double most_factor_numbers(int nodes);

}  // namespace limber
