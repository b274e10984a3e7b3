// Nodes taken a few at a time, so that their vectors stay in the first-level cache between the
// kernels that work on them.
#pragma once

#include <algorithm>
#include <array>

#include "limber/core/types.h"

namespace limber {

constexpr int kChunk = 64;
/// A vector of three for each node of a chunk.
using Chunk = std::array<double, 3 * kChunk>;

/// Calls work(first, count) for chunk after chunk.
template <class Work>
void for_chunks(int nodes, const Work& work) {
  for (int first = 0; first < nodes; first += kChunk) work(first, std::min(kChunk, nodes - first));
}

/// One node's vector.
inline Eigen::Map<Vec3> node_of(Chunk& chunk, int i) {
  return Eigen::Map<Vec3>(chunk.data() + 3 * i);
}

/// The first `count` vectors, count×3.
inline Eigen::Map<const Positions> rows_of(const Chunk& chunk, int count) {
  return {chunk.data(), count, 3};
}

}  // namespace limber
