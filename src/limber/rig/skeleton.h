// A skeleton and the clips that move it, from a glTF or BVH file.
#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "limber/core/types.h"

namespace limber {

struct Bone {
  std::string name;
  int parent = -1;       ///< the bone it hangs on
  Eigen::Affine3d rest;  ///< from the bone to the world; its origin is the bone's head
  Vec3 tail;             ///< at rest, in the world: where its children begin, or its end site
};

struct SkeletonClip {
  std::string name;
  double first = 0;       ///< s
  double last = 0;        ///< s
  double frame_rate = 0;  ///< keys a second; 0 where there is but one
};

class Skeleton {
 public:
  virtual ~Skeleton();
  Skeleton(const Skeleton&) = delete;
  Skeleton& operator=(const Skeleton&) = delete;

  /// Parents stand before their children.
  [[nodiscard]] const std::vector<Bone>& bones() const { return bones_; }
  [[nodiscard]] const std::vector<SkeletonClip>& clips() const { return clips_; }
  /// The numbers of a bone and a clip. Throws Error with the names there are.
  [[nodiscard]] int bone(const std::string& name) const;
  [[nodiscard]] int clip(const std::string& name) const;

  /// From each bone to the world at a time of a clip; it stands still before and after.
  [[nodiscard]] virtual std::vector<Eigen::Affine3d> frames(int clip, double time) const = 0;

 protected:
  Skeleton(std::string file_name, std::vector<Bone> bones, std::vector<SkeletonClip> clips);

 private:
  std::string file_name_;
  std::vector<Bone> bones_;
  std::vector<SkeletonClip> clips_;
};

/// Reads .glb, .gltf and .bvh; lengths are multiplied by `scale` (BVH files are often in cm).
[[nodiscard]] std::unique_ptr<const Skeleton> read_skeleton(const std::filesystem::path& path,
                                                            double scale = 1);

}  // namespace limber
