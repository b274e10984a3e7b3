// A glTF file as one surface that its clips can move: skins, morph targets, nodes and instances
// evaluated as the standard says (glTF 2.0, 3.7).
//
//   const RiggedSurface fox = RiggedSurface::read("Fox.glb");
//   const Positions running = fox.sample(fox.clip("Run"), 0.3);
//
// The surface at rest is the scene as the file places it without any clip: joints where their
// nodes stand (which need not be the bind pose), morph targets with the weights of the file.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "limber/mesh/gltf/gltf_clips.h"
#include "limber/mesh/read_mesh.h"

namespace limber {

class GltfCast;

/// Vertex i is row i of `surface().V` in every pose.
class RiggedSurface {
 public:
  /// Reads .glb and .gltf. Throws Error on anything wrong.
  [[nodiscard]] static RiggedSurface read(const std::filesystem::path& path,
                                          ReadNotes* notes = nullptr);
  RiggedSurface(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
  RiggedSurface(RiggedSurface&&) noexcept;
  RiggedSurface& operator=(RiggedSurface&&) noexcept;
  ~RiggedSurface();

  /// At rest, with texture coordinates, colours and materials.
  [[nodiscard]] const TriMesh& surface() const { return surface_; }

  [[nodiscard]] const std::vector<GltfClip>& clips() const { return clips_; }
  /// The clip of this name (see find_by_name). Throws Error with the names there are.
  [[nodiscard]] const GltfClip& clip(const std::string& name) const;
  /// Vertices at a time of the clip, s; before its first and after its last key it stands still.
  /// Throws Error when a number is not finite.
  [[nodiscard]] Positions sample(const GltfClip& clip, double time) const;

  [[nodiscard]] const GltfNodes& nodes() const { return *nodes_; }
  /// The nodes that skins call joints, ascending.
  [[nodiscard]] const std::vector<int>& joints() const { return joints_; }
  /// Frames of all nodes in the world, at rest or at a time of a clip.
  [[nodiscard]] std::vector<Eigen::Affine3d> frames() const;
  [[nodiscard]] std::vector<Eigen::Affine3d> frames(const GltfClip& clip, double time) const;

 private:
  std::string file_name_;
  TriMesh surface_;
  std::vector<GltfClip> clips_;
  std::vector<int> joints_;
  std::unique_ptr<const GltfNodes> nodes_;
  std::unique_ptr<const GltfCast> cast_;
};

}  // namespace limber
