// Which rank gets which nodes: few tets across borders, equal shares.
#pragma once

#include <vector>

#include "mesh_pieces.h"

namespace limber {

/// The tets around the nodes of this rank's block, each once.
[[nodiscard]] std::vector<TetRecord> tets_around_block(const Ranks& ranks,
                                                       const MeshPieces& pieces);

/// The new owner of each node of this rank's block, by PT-Scotch on the graph of nodes that share a
/// tet. Throws Error when there are too many ranks for the mesh.
[[nodiscard]] std::vector<int> partition_nodes(const Ranks& ranks, const Blocks& node_blocks,
                                               const std::vector<TetRecord>& tets_around);

}  // namespace limber
