// A mesh of which each rank holds its own nodes, every tet around them and those tets' other nodes.
//
// Whatever is summed over the tets of a node is then whole at its owner: element matrices, the
// curl operator, normals and boundary faces come from the same code as for a mesh in one piece.
#pragma once

#include <filesystem>
#include <vector>

#include "halo.h"
#include "limber/mesh/tet_mesh.h"
#include "mesh_pieces.h"

namespace limber {

struct DistributedMesh {
  TetMesh local;                  ///< owned nodes first, then ghosts; both ascending in the file
  int owned = 0;                  ///< how many of the local nodes are this rank's
  std::vector<int> node_numbers;  ///< of local nodes, as in the file
  std::vector<int> tet_numbers;   ///< of local tets, ascending
  Blocks node_blocks;             ///< of the file
  Blocks tet_blocks;
  bool has_regions = false;
  Halo halo;

  [[nodiscard]] int node_count() const { return static_cast<int>(node_blocks.count); }
  [[nodiscard]] int tet_count() const { return static_cast<int>(tet_blocks.count); }
  /// Whether this rank is the one that answers for a local tet: it owns the tet's first node in the
  /// file's order.
  [[nodiscard]] bool owns_tet(int tet) const;
};

/// Reads, partitions and checks. Throws Error, the same on all ranks.
[[nodiscard]] DistributedMesh read_distributed(const Ranks& ranks,
                                               const std::filesystem::path& path);

}  // namespace limber
