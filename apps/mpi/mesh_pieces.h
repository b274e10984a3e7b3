// A mesh read by many: each rank takes its block of nodes and of tets straight from the file.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "ranks.h"

namespace limber {

/// A tet wherever it travels; nodes and tet are counted as in the file.
struct TetRecord {
  int number;
  int region;
  std::array<int, 4> nodes;
};

/// This rank's blocks, in the file's order.
struct MeshPieces {
  Blocks node_blocks;
  Blocks tet_blocks;
  std::vector<double> coordinates;  ///< x y z of the nodes of this rank's block
  std::vector<TetRecord> tets;
  bool has_regions = false;  ///< whether any tet anywhere has a region other than 0
};

/// Binary .msh and raw .vtu (see mesh_layout.h). Throws Error, the same on all ranks.
[[nodiscard]] MeshPieces read_mesh_pieces(const Ranks& ranks, const std::filesystem::path& path);

}  // namespace limber
