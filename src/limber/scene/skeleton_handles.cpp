#include "limber/scene/skeleton_handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "limber/core/error.h"
#include "limber/rig/bone_leads.h"

namespace limber {

namespace {

/// Keys of all handles together: some hundred megabytes.
constexpr double kMostPathKeys = 1e7;
constexpr double kRadiusOfSize = 0.05;

std::vector<int> chosen_bones(const Skeleton& skeleton, const std::vector<std::string>& names) {
  std::vector<int> bones;
  for (const std::string& name : names) bones.push_back(skeleton.bone(name));
  if (names.empty()) {
    bones.resize(skeleton.bones().size());
    std::iota(bones.begin(), bones.end(), 0);
  }
  return bones;
}

/// Nodes that can be led: all but the fixed ones.
std::vector<int> free_nodes(const BodySource& source) {
  std::vector<char> fixed(static_cast<std::size_t>(source.mesh.node_count()), 0);
  for (const int node : source.fixed_nodes) fixed[node] = 1;
  std::vector<int> nodes;
  for (int node = 0; node < source.mesh.node_count(); ++node) {
    if (fixed[node] == 0) nodes.push_back(node);
  }
  return nodes;
}

double size_of(const TetMesh& mesh) {
  return (mesh.V.colwise().maxCoeff() - mesh.V.colwise().minCoeff()).norm();
}

/// At the clip's own frames.
std::vector<double> sample_times(const SkeletonClip& clip, std::size_t handles,
                                 const std::string& where) {
  const double span = (clip.last - clip.first) * clip.frame_rate;
  if (!(span * static_cast<double>(handles) < kMostPathKeys)) {
    throw Error(
        fmt::format("clip \"{}\" has {:.3g} frames for {} handles", clip.name, span, handles),
        where, "name fewer bones, or shorten the clip");
  }
  std::vector<double> times{clip.first};
  for (double k = 1; k < span + 0.5; ++k) {
    times.push_back(std::min(clip.first + k / clip.frame_rate, clip.last));
  }
  return times;
}

/// The number by which a scene knows the body's node.
int number_in_scene(const BodySource& source, int node) {
  if (!source.whole) return node;
  const std::vector<int>& own = source.whole->node_of;
  return static_cast<int>(std::find(own.begin(), own.end(), node) - own.begin());
}

/// The bones' nodes among `nodes`, by their place there.
std::vector<LedNode> led_nodes(const SkeletonDescription& leads, const Skeleton& skeleton,
                               const Positions& rest, double size) {
  LeadOptions options;
  options.radius = leads.radius > 0 ? leads.radius : kRadiusOfSize * size;
  options.most_per_bone = leads.handles;
  options.optional = leads.bones.empty();
  return nodes_near_bones(skeleton, chosen_bones(skeleton, leads.bones), rest, options);
}

/// From the rest pose to the clip's first in `ease` seconds, straight and to a stop. The spline
/// through the keys carries the clip's first speed backward, and each key between lets a quarter
/// of it pass: with many, what it swings beyond the two poses cannot be seen.
std::vector<PathKey> keys_along(const NodePath& path, std::span<const double> times,
                                const Vec3& rest, double ease) {
  constexpr int kKeysOfEase = 64;
  std::vector<PathKey> keys;
  const Vec3 first = path.targets.row(0).transpose();
  for (int k = 0; ease > 0 && k < kKeysOfEase; ++k) {
    const double s = static_cast<double>(k) / kKeysOfEase;
    keys.push_back({s * ease, rest + s * s * (3 - 2 * s) * (first - rest)});
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    keys.push_back({ease + times[k] - times.front(),
                    path.targets.row(static_cast<Eigen::Index>(k)).transpose()});
  }
  return keys;
}

}  // namespace

BodyDescription with_skeleton_handles(BodyDescription description, const BodySource& source) {
  if (!description.skeleton) return description;
  const SkeletonDescription& leads = *description.skeleton;
  const std::string where = fmt::format("{}, skeleton", description.name);
  if (source.is_loose_piece) {
    throw Error("a skeleton leads a body in one piece", where, "set \"pieces\": \"glue\"");
  }
  const std::unique_ptr<const Skeleton> skeleton = read_skeleton(leads.file, leads.scale);
  if (skeleton->clips().empty()) {
    throw Error("the skeleton has no clip", leads.file.string(), "export it with its animations");
  }
  const int clip = leads.clip.empty() ? 0 : skeleton->clip(leads.clip);
  const std::vector<int> nodes = free_nodes(source);
  const Positions rest = source.mesh.V(nodes, Eigen::all);
  const std::vector<LedNode> led = led_nodes(leads, *skeleton, rest, size_of(source.mesh));
  const std::vector<double> times = sample_times(skeleton->clips()[clip], led.size(), where);
  for (const NodePath& path : led_paths(*skeleton, clip, led, rest, times)) {
    ConstraintDescription handle;
    handle.kind = leads.stiffness > 0 ? HandleKind::spring : HandleKind::position;
    handle.stiffness = leads.stiffness;
    handle.damping = leads.damping;
    handle.node = number_in_scene(source, nodes[path.node]);
    handle.path = keys_along(path, times, rest.row(path.node).transpose(), leads.ease);
    description.constraints.push_back(std::move(handle));
  }
  return description;
}

}  // namespace limber
