#include "limber/rig/gltf_skeleton.h"

#include <algorithm>
#include <numeric>

#include "limber/mesh/gltf/rigged_surface.h"

namespace limber {

namespace {
/// A leaf's length, of its parent's: a hand is about half a forearm.
constexpr double kLeafLength = 0.5;

/// Nodes that become bones, parents first.
std::vector<int> bone_nodes(const RiggedSurface& rig) {
  std::vector<char> wanted(rig.nodes().nodes().size(), rig.joints().empty() ? 1 : 0);
  for (const int joint : rig.joints()) wanted[joint] = 1;
  std::vector<int> nodes;
  for (const int node : rig.nodes().parents_first()) {
    if (wanted[node] != 0) nodes.push_back(node);
  }
  return nodes;
}

std::vector<Bone> bones_of(const RiggedSurface& rig, const std::vector<int>& nodes,
                           const std::vector<Eigen::Affine3d>& frames) {
  const std::vector<GltfNode>& all = rig.nodes().nodes();
  std::vector<int> bone_of(all.size(), -1);
  std::vector<Bone> bones;
  for (std::size_t b = 0; b < nodes.size(); ++b) {
    bone_of[nodes[b]] = static_cast<int>(b);
    int parent = all[nodes[b]].parent;
    while (parent >= 0 && bone_of[parent] < 0) parent = all[parent].parent;
    bones.push_back({all[nodes[b]].name, parent < 0 ? -1 : bone_of[parent], frames[b],
                     frames[b].translation()});
  }
  std::vector<int> children(bones.size(), 0);
  for (const Bone& bone : bones) {
    if (bone.parent < 0) continue;
    // A running mean of the children's heads.
    Bone& parent = bones[bone.parent];
    if (children[bone.parent]++ == 0) parent.tail.setZero();
    parent.tail += (bone.rest.translation() - parent.tail) / children[bone.parent];
  }
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (children[b] > 0 || bones[b].parent < 0) continue;
    const Vec3 head = bones[b].rest.translation();
    bones[b].tail = head + kLeafLength * (head - bones[bones[b].parent].rest.translation());
  }
  return bones;
}

class GltfSkeleton final : public Skeleton {
 public:
  GltfSkeleton(const std::string& file_name, RiggedSurface rig, std::vector<int> nodes,
               double scale)
      : Skeleton(file_name, bones_of(rig, nodes, scaled(rig.frames(), nodes, scale)),
                 clips_of(rig)),
        rig_(std::move(rig)),
        nodes_(std::move(nodes)),
        scale_(scale) {}

  [[nodiscard]] std::vector<Eigen::Affine3d> frames(int clip, double time) const override {
    return scaled(rig_.frames(rig_.clips().at(static_cast<std::size_t>(clip)), time), nodes_,
                  scale_);
  }

 private:
  static std::vector<Eigen::Affine3d> scaled(const std::vector<Eigen::Affine3d>& frames,
                                             const std::vector<int>& nodes, double scale) {
    std::vector<Eigen::Affine3d> result;
    for (const int node : nodes) {
      result.push_back(frames[node]);
      result.back().translation() *= scale;
    }
    return result;
  }

  static std::vector<SkeletonClip> clips_of(const RiggedSurface& rig) {
    std::vector<SkeletonClip> clips;
    for (const GltfClip& clip : rig.clips()) {
      clips.push_back({clip.name, clip.first, clip.last, clip.frame_rate});
    }
    return clips;
  }

  RiggedSurface rig_;
  std::vector<int> nodes_;
  double scale_;
};
}  // namespace

std::unique_ptr<const Skeleton> gltf_skeleton(const std::filesystem::path& path, double scale) {
  RiggedSurface rig = RiggedSurface::read(path);
  std::vector<int> nodes = bone_nodes(rig);
  return std::make_unique<const GltfSkeleton>(path.string(), std::move(rig), std::move(nodes),
                                              scale);
}

}  // namespace limber
