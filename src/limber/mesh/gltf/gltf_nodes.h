// The tree of nodes of a glTF file, and where a pose puts them.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/types.h"
#include "limber/mesh/gltf/gltf_document.h"

namespace limber {

/// A node's place in its parent: translation · rotation · scale (glTF 2.0, 3.5.3).
struct NodePlace {
  Vec3 translation = Vec3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vec3 scale = Vec3::Ones();
  /// Takes the place of all three where the file gives one, so that shears survive.
  std::optional<Eigen::Affine3d> matrix;

  [[nodiscard]] Eigen::Affine3d transform() const;
  /// Turns a matrix into the other three, as a clip that moves one of them needs.
  void decompose();
};

struct GltfNode {
  std::string name;
  int parent = -1;
  NodePlace place;  ///< at rest
  std::size_t mesh = GltfDocument::kNone;
  std::size_t skin = GltfDocument::kNone;
  std::vector<double> weights;  ///< of morph targets: the node's own, else its mesh's
  bool shown = false;           ///< in the scene, and not hidden by KHR_node_visibility
};

/// All nodes of the file at one time.
struct GltfPose {
  std::vector<NodePlace> places;
  std::vector<std::vector<double>> weights;  ///< of morph targets, for each node
};

class GltfNodes {
 public:
  /// Throws Error when the nodes are no tree.
  explicit GltfNodes(const GltfDocument& document);

  [[nodiscard]] const std::vector<GltfNode>& nodes() const { return nodes_; }
  /// The nodes of the scene, each followed by its children's subtrees in turn.
  [[nodiscard]] const std::vector<int>& scene_order() const { return scene_order_; }

  /// All nodes, parents before their children.
  [[nodiscard]] const std::vector<int>& parents_first() const { return parents_first_; }

  [[nodiscard]] GltfPose rest() const;
  /// The transforms from each node to the world; hidden nodes and other scenes' have theirs too.
  [[nodiscard]] std::vector<Eigen::Affine3d> world(const GltfPose& pose) const;

 private:
  void find_parents(const GltfDocument& document);
  /// Puts a root and all below it into the scene.
  void show(const GltfDocument& document, std::size_t root);

  std::vector<GltfNode> nodes_;
  std::vector<int> parents_first_;
  std::vector<int> scene_order_;
};

}  // namespace limber
