#include "limber/fem/node_graph.h"

#include <algorithm>

namespace limber {

NodeGraph::NodeGraph(const TetMesh& mesh) {
  collect_corners(mesh);
  collect_neighbours(mesh);
}

void NodeGraph::collect_corners(const TetMesh& mesh) {
  const int corner_count = 4 * mesh.tet_count();
  const std::int32_t* const nodes = mesh.T.data();
  corner_offsets_.assign(mesh.node_count() + 1, 0);
  for (int corner = 0; corner < corner_count; ++corner) ++corner_offsets_[nodes[corner] + 1];
  for (int node = 0; node < mesh.node_count(); ++node) {
    corner_offsets_[node + 1] += corner_offsets_[node];
  }
  corners_.resize(corner_count);
  std::vector<int> next(corner_offsets_.begin(), corner_offsets_.end() - 1);
  for (int corner = 0; corner < corner_count; ++corner) corners_[next[nodes[corner]]++] = corner;
}

void NodeGraph::collect_neighbours(const TetMesh& mesh) {
  const std::int32_t* const nodes = mesh.T.data();
  offsets_.assign(1, 0);
  offsets_.reserve(mesh.node_count() + 1);
  neighbours_.reserve(static_cast<std::size_t>(mesh.node_count()) * 16);
  std::vector<int> last_seen_by(mesh.node_count(), -1);
  for (int node = 0; node < mesh.node_count(); ++node) {
    const std::size_t begin = neighbours_.size();
    const auto meet = [&](int other) {
      if (last_seen_by[other] == node) return;
      last_seen_by[other] = node;
      neighbours_.push_back(other);
    };
    meet(node);
    for (const int corner : corners(node)) {
      const std::int32_t* const tet = nodes + (corner & ~3);
      for (int k = 0; k < 4; ++k) meet(tet[k]);
    }
    std::sort(neighbours_.begin() + static_cast<std::ptrdiff_t>(begin), neighbours_.end());
    offsets_.push_back(static_cast<int>(neighbours_.size()));
  }
}

}  // namespace limber
