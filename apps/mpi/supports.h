// Which nodes of a distributed mesh are held, what parts it has, and how those could still move.
#pragma once

#include <string>
#include <vector>

#include "distributed_mesh.h"
#include "limber/core/types.h"

namespace limber {

struct Supports {
  std::vector<char> fixed;      ///< one a local node; nodes of no tet count as fixed
  std::vector<int> free_index;  ///< of local nodes among all free nodes, -1 when fixed
  int owned_free = 0;           ///< how many free nodes this rank owns: a block of free indices
  int free_count = 0;           ///< on all ranks
  int fixed_count = 0;
};
/// Holds the union of `selections`. Throws Error, the same on all ranks.
[[nodiscard]] Supports hold_nodes(const Ranks& ranks, const DistributedMesh& mesh,
                                  const std::vector<std::string>& selections);

/// The part of each local node, numbered as connected_parts() does; -1 for nodes of no tet.
/// Refuses gaps that look like mistakes.
struct Parts {
  std::vector<int> of_node;
  int count = 0;
};
[[nodiscard]] Parts find_parts(const Ranks& ranks, const DistributedMesh& mesh);

/// This rank's rows (3·owned_free × r) of a basis of the rigid motions left free.
[[nodiscard]] Eigen::MatrixXd free_rigid_motions(const Ranks& ranks, const DistributedMesh& mesh,
                                                 const Parts& parts, const Supports& supports);

}  // namespace limber
