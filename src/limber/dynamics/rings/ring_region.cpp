#include "limber/dynamics/rings/ring_region.h"

#include <algorithm>
#include <string>

#include "limber/core/error.h"

namespace limber {

std::vector<int> never_local(const TetMesh& mesh, const ModalModel& model,
                             std::span<const int> excluded) {
  if (model.node_count() != mesh.node_count())
    throw Error("the modes are of another mesh", "local", "bake them from this one");
  std::vector<int> never(model.fixed_nodes.begin(), model.fixed_nodes.end());
  for (const int node : excluded) {
    if (node < 0 || node >= mesh.node_count())
      throw Error("node " + std::to_string(node) + " does not exist", "local excluded",
                  "nodes count from 0");
    never.push_back(node);
  }
  return never;
}

double size_of(const TetMesh& mesh) {
  return (mesh.V.colwise().maxCoeff() - mesh.V.colwise().minCoeff()).norm();
}

RingRegion::RingRegion(const NodalRows& rows, std::span<const int> never)
    : rows_(rows),
      never_(static_cast<std::size_t>(rows.node_count()), 0),
      seen_(static_cast<std::size_t>(rows.node_count()), 0) {
  for (const int node : never) never_[static_cast<std::size_t>(node)] = 1;
  found_.reserve(never_.size());
  reached_.reserve(never_.size());
}

std::span<const int> RingRegion::around(std::span<const int> seeds, int rings) {
  reached_.clear();
  const auto reach = [&](int node) {
    if (seen_[static_cast<std::size_t>(node)] != 0) return;
    seen_[static_cast<std::size_t>(node)] = 1;
    reached_.push_back(node);
  };
  for (const int seed : seeds) reach(seed);
  std::size_t first = 0;
  for (int ring = 0; ring < rings && first < reached_.size(); ++ring) {
    const std::size_t last = reached_.size();
    for (; first < last; ++first) {
      for (const int node : rows_.neighbours(reached_[first])) reach(node);
    }
  }
  found_.clear();
  for (const int node : reached_) {
    seen_[static_cast<std::size_t>(node)] = 0;
    if (may_be_local(node)) found_.push_back(node);
  }
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace limber
