#include "limber/mesh/gltf/gltf_nodes.h"

#include <cmath>

namespace limber {

namespace {
template <int Size>
Eigen::Matrix<double, Size, 1> vector_of(const GltfDocument& document, const nlohmann::json& node,
                                         const char* key,
                                         const Eigen::Matrix<double, Size, 1>& otherwise) {
  const auto found = node.find(key);
  if (found == node.end()) return otherwise;
  Eigen::Matrix<double, Size, 1> values;
  if (!found->is_array() || found->size() != Size) document.fail("damaged node transform");
  for (int i = 0; i < Size; ++i) {
    if (!(*found)[i].is_number()) document.fail("damaged node transform");
    values[i] = (*found)[i].get<double>();
  }
  return values;
}

NodePlace place_of(const GltfDocument& document, const nlohmann::json& node) {
  NodePlace place;
  if (node.contains("matrix")) {
    const Eigen::Matrix<double, 16, 1> m = vector_of<16>(document, node, "matrix", {});
    place.matrix.emplace(Eigen::Affine3d::Identity());
    place.matrix->matrix() = Eigen::Map<const Eigen::Matrix4d>(m.data());  // by columns, as Eigen's
    place.matrix->makeAffine();
    return place;
  }
  const Eigen::Vector4d q = vector_of<4>(document, node, "rotation", Eigen::Vector4d(0, 0, 0, 1));
  if (q.norm() > 0) place.rotation = Eigen::Quaterniond(q).normalized();
  place.translation = vector_of<3>(document, node, "translation", Vec3::Zero());
  place.scale = vector_of<3>(document, node, "scale", Vec3::Ones());
  return place;
}

/// The node's weights, else those of its mesh, else none (glTF 2.0, 3.7.2.2).
std::vector<double> weights_of(const GltfDocument& document, const nlohmann::json& node,
                               std::size_t mesh) {
  const nlohmann::json* given = &gltf_list(node, "weights");
  if (given->empty() && mesh != GltfDocument::kNone) {
    given = &gltf_list(document.item("meshes", mesh), "weights");
  }
  std::vector<double> weights;
  for (const nlohmann::json& weight : *given) {
    if (!weight.is_number()) document.fail("damaged weights of morph targets");
    weights.push_back(weight.get<double>());
  }
  return weights;
}

/// KHR_node_visibility.
bool is_visible(const nlohmann::json& node) {
  const nlohmann::json::json_pointer pointer("/extensions/KHR_node_visibility/visible");
  return !node.contains(pointer) || node[pointer] != false;
}
}  // namespace

Eigen::Affine3d NodePlace::transform() const {
  if (matrix) return *matrix;
  Eigen::Affine3d local = Eigen::Affine3d::Identity();
  local.translate(translation);
  local.rotate(rotation);
  local.scale(scale);
  return local;
}

void NodePlace::decompose() {
  if (!matrix) return;
  const Eigen::Matrix3d linear = matrix->linear();
  translation = matrix->translation();
  scale = linear.colwise().norm();
  if (linear.determinant() < 0) scale.x() = -scale.x();
  rotation = (scale.array() != 0).all()
                 ? Eigen::Quaterniond(linear * scale.cwiseInverse().asDiagonal()).normalized()
                 : Eigen::Quaterniond::Identity();
  matrix.reset();
}

GltfNodes::GltfNodes(const GltfDocument& document) {
  for (std::size_t n = 0; n < document.item_count("nodes"); ++n) {
    const nlohmann::json& described = document.item("nodes", n);
    GltfNode node;
    node.name = GltfDocument::name(described, "node " + std::to_string(n));
    node.place = place_of(document, described);
    node.mesh = document.whole(described, "mesh", GltfDocument::kNone);
    node.skin = document.whole(described, "skin", GltfDocument::kNone);
    node.weights = weights_of(document, described, node.mesh);
    nodes_.push_back(std::move(node));
  }
  find_parents(document);
  if (document.item_count("scenes") > 0) {
    const std::size_t scene = document.whole(document.json(), "scene", 0);
    for (const auto& root : gltf_list(document.item("scenes", scene), "nodes")) {
      show(document, document.whole(root));
    }
    return;
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].parent < 0) show(document, n);
  }
}

void GltfNodes::find_parents(const GltfDocument& document) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    for (const auto& child : gltf_list(document.item("nodes", n), "children")) {
      const std::size_t number = document.whole(child);
      (void)document.item("nodes", number);  // must be there
      if (nodes_[number].parent >= 0) document.fail("nodes are no tree");
      nodes_[number].parent = static_cast<int>(n);
    }
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].parent < 0) parents_first_.push_back(static_cast<int>(n));
  }
  for (std::size_t i = 0; i < parents_first_.size(); ++i) {
    const auto node = static_cast<std::size_t>(parents_first_[i]);
    for (const auto& child : gltf_list(document.item("nodes", node), "children")) {
      parents_first_.push_back(static_cast<int>(document.whole(child)));
    }
  }
  if (parents_first_.size() != nodes_.size()) document.fail("nodes are no tree");
}

void GltfNodes::show(const GltfDocument& document, std::size_t root) {
  struct Visit {
    std::size_t node;
    bool visible;
  };
  std::vector<Visit> waiting = {{root, true}};
  while (!waiting.empty()) {
    const Visit visit = waiting.back();
    waiting.pop_back();
    const nlohmann::json& described = document.item("nodes", visit.node);
    GltfNode& node = nodes_[visit.node];
    if (node.shown) document.fail("nodes are no tree");
    const bool shown = visit.visible && is_visible(described);
    node.shown = shown;
    if (shown) scene_order_.push_back(static_cast<int>(visit.node));
    const nlohmann::json& children = gltf_list(described, "children");
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      waiting.push_back({document.whole(*child), shown});
    }
  }
}

GltfPose GltfNodes::rest() const {
  GltfPose pose;
  for (const GltfNode& node : nodes_) {
    pose.places.push_back(node.place);
    pose.weights.push_back(node.weights);
  }
  return pose;
}

std::vector<Eigen::Affine3d> GltfNodes::world(const GltfPose& pose) const {
  std::vector<Eigen::Affine3d> transforms(nodes_.size());
  for (const int node : parents_first_) {
    const int parent = nodes_[node].parent;
    transforms[node] = parent < 0 ? pose.places[node].transform()
                                  : transforms[parent] * pose.places[node].transform();
  }
  return transforms;
}

}  // namespace limber
