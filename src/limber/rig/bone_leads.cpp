#include "limber/rig/bone_leads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"

namespace limber {

namespace {
double distance_to_axis(const Bone& bone, const Vec3& point) {
  const Vec3 head = bone.rest.translation();
  const Vec3 along = bone.tail - head;
  const double length = along.squaredNorm();
  const double t = length > 0 ? std::clamp((point - head).dot(along) / length, 0.0, 1.0) : 0.0;
  return (point - head - t * along).norm();
}

/// The first is the nearest to the bone's axis, each next one the farthest from those before
/// (Gonzalez 1985): few nodes that fix the bone's place and turn.
std::vector<int> spread(const std::vector<int>& nodes, const std::vector<double>& distances,
                        const Eigen::Ref<const Positions>& rest_nodes, int most) {
  if (most <= 0 || static_cast<int>(nodes.size()) <= most) return nodes;
  std::vector<int> chosen;
  std::vector<double> gap(nodes.size(), std::numeric_limits<double>::infinity());
  auto next = static_cast<std::size_t>(std::min_element(distances.begin(), distances.end()) -
                                       distances.begin());
  while (static_cast<int>(chosen.size()) < most) {
    chosen.push_back(nodes[next]);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      gap[i] = std::min(gap[i], (rest_nodes.row(nodes[i]) - rest_nodes.row(chosen.back())).norm());
    }
    next = static_cast<std::size_t>(std::max_element(gap.begin(), gap.end()) - gap.begin());
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}
}  // namespace

std::vector<LedNode> nodes_near_bones(const Skeleton& skeleton, std::span<const int> bones,
                                      const Eigen::Ref<const Positions>& rest_nodes,
                                      const LeadOptions& options) {
  std::vector<std::vector<int>> near(bones.size());
  std::vector<std::vector<double>> distances(bones.size());
  std::vector<double> nearest(bones.size(), std::numeric_limits<double>::infinity());
  for (int node = 0; node < rest_nodes.rows(); ++node) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t owner = 0;
    for (std::size_t b = 0; b < bones.size(); ++b) {
      const double distance =
          distance_to_axis(skeleton.bones()[bones[b]], rest_nodes.row(node).transpose());
      nearest[b] = std::min(nearest[b], distance);
      if (distance >= least) continue;
      least = distance;
      owner = b;
    }
    if (!(least <= options.radius)) continue;
    near[owner].push_back(node);
    distances[owner].push_back(least);
  }
  std::vector<LedNode> led;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (near[b].empty() && options.optional) continue;
    if (near[b].empty()) {
      throw Error(fmt::format("bone \"{}\" leads no node: the nearest lies {:.3g} m from it",
                              skeleton.bones()[bones[b]].name, nearest[b]),
                  "skeleton", "give a larger radius, a finer mesh, or leave this bone out");
    }
    for (const int node : spread(near[b], distances[b], rest_nodes, options.most_per_bone)) {
      led.push_back({node, bones[b]});
    }
  }
  if (led.empty() && !bones.empty()) {
    throw Error(fmt::format("no bone leads a node: the nearest lies {:.3g} m from one",
                            *std::min_element(nearest.begin(), nearest.end())),
                "skeleton", "check the skeleton's place and scale, or give a larger radius");
  }
  return led;
}

std::vector<NodePath> led_paths(const Skeleton& skeleton, int clip, std::span<const LedNode> led,
                                const Eigen::Ref<const Positions>& rest_nodes,
                                std::span<const double> times) {
  std::vector<NodePath> paths;
  for (const LedNode& lead : led) {
    paths.push_back({lead.node, Positions(static_cast<Eigen::Index>(times.size()), 3)});
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    const std::vector<Eigen::Affine3d> frames = skeleton.frames(clip, times[k]);
    for (std::size_t i = 0; i < led.size(); ++i) {
      const Eigen::Affine3d moved =
          frames[led[i].bone] * skeleton.bones()[led[i].bone].rest.inverse();
      const Vec3 rest = rest_nodes.row(led[i].node);
      paths[i].targets.row(static_cast<Eigen::Index>(k)) = (moved * rest).transpose();
    }
  }
  return paths;
}

}  // namespace limber
