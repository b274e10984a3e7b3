// Nodes of a soft body that follow the bones of a skeleton: a rig drives the body, and the body's
// own dynamics does the rest (the skeletons of Choi & Ko 2005, Figure 9).
//
// A node near a bone is carried by it as if it were grown on: x(t) = B(t) B(0)⁻¹ x, where B(0) is
// the bone at rest and x the node at rest.
#pragma once

#include <span>
#include <vector>

#include "limber/core/types.h"
#include "limber/rig/skeleton.h"

namespace limber {

struct LedNode {
  int node = 0;
  int bone = 0;
};

struct LeadOptions {
  double radius = 0.05;   ///< m, how far from a bone's axis at rest a node may lie
  int most_per_bone = 6;  ///< so many are taken, spread out; 0: all
  bool optional = false;  ///< bones that find no node are left out
};

/// For each bone the nodes within the radius of its axis, each by its nearest bone only, ascending
/// by bone. Throws Error naming a bone that finds none, with the distance of the nearest node, or
/// with `optional` only where no bone finds any.
[[nodiscard]] std::vector<LedNode> nodes_near_bones(const Skeleton& skeleton,
                                                    std::span<const int> bones,
                                                    const Eigen::Ref<const Positions>& rest_nodes,
                                                    const LeadOptions& options = {});

/// Where a node is to be at each time: the path of a position handle.
struct NodePath {
  int node = 0;
  Positions targets;  ///< one row a time
};
[[nodiscard]] std::vector<NodePath> led_paths(const Skeleton& skeleton, int clip,
                                              std::span<const LedNode> led,
                                              const Eigen::Ref<const Positions>& rest_nodes,
                                              std::span<const double> times);

}  // namespace limber
