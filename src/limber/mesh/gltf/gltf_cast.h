// Who is on a glTF scene's stage: meshes, the nodes that show them, the skins that carry them.
#pragma once

#include <map>
#include <vector>

#include "limber/mesh/gltf/gltf_mesh.h"
#include "limber/mesh/gltf/gltf_nodes.h"

namespace limber {

/// Joints and where the mesh was bound to them (glTF 2.0, 3.7.3).
struct GltfSkin {
  std::vector<int> joints;                     ///< nodes
  std::vector<Eigen::Affine3d> inverse_binds;  ///< from the mesh to each joint, at binding
};

/// A mesh and which of its vertices are kept: one of those that always stay together.
struct CastMesh {
  GltfMesh mesh;
  std::vector<int> kept;       ///< ascending
  std::vector<int> companion;  ///< for each of the file's vertices its row in `kept`
};

/// One mesh in one place.
struct Showing {
  const CastMesh* shown = nullptr;
  int node = 0;
  std::size_t skin = GltfDocument::kNone;
  Eigen::Affine3d within_node = Eigen::Affine3d::Identity();  ///< EXT_mesh_gpu_instancing
  int first_vertex = 0;
};

class GltfCast {
 public:
  /// `nodes` must outlive this; the document need not.
  GltfCast(const GltfDocument& document, const GltfNodes& nodes);
  GltfCast(const GltfCast&) = delete;
  GltfCast& operator=(const GltfCast&) = delete;

  [[nodiscard]] const std::vector<Showing>& showings() const { return showings_; }
  [[nodiscard]] const std::vector<GltfSkin>& skins() const { return skins_; }

  /// The kept vertices of all showings, one after another.
  [[nodiscard]] Positions posed(const GltfPose& pose) const;
  /// Whether a pose turns the triangles of a showing inside out, as mirrors do.
  [[nodiscard]] bool is_mirrored(const Showing& showing,
                                 const std::vector<Eigen::Affine3d>& world) const;

 private:
  void read_skins(const GltfDocument& document);
  const CastMesh& mesh(const GltfDocument& document, std::size_t number);
  void show(const GltfDocument& document, int node);
  void check_skin(const GltfDocument& document, const Showing& showing) const;

  const GltfNodes& nodes_;
  std::map<std::size_t, CastMesh> meshes_;
  std::vector<GltfSkin> skins_;
  std::vector<Showing> showings_;
  int vertex_count_ = 0;
  std::size_t coordinates_ = 0;  // of all showings, as the file repeats them
  std::size_t corners_ = 0;
};

}  // namespace limber
