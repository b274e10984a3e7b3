#include "limber/mesh/gltf/gltf_cast.h"

#include <algorithm>

namespace limber {

namespace {
/// A file may show one mesh many times. It may grow this much by that, a small one to kSmall.
constexpr std::size_t kMostNumbersAByte = 16;
constexpr std::size_t kSmall = 1'000'000;

/// The transforms of EXT_mesh_gpu_instancing; the identity alone without it.
std::vector<Eigen::Affine3d> instances(const GltfDocument& document, const nlohmann::json& node) {
  const nlohmann::json::json_pointer pointer("/extensions/EXT_mesh_gpu_instancing/attributes");
  if (!node.contains(pointer) || !node[pointer].is_object()) return {Eigen::Affine3d::Identity()};
  const nlohmann::json& attributes = node[pointer];
  std::size_t count = 0;
  const auto read = [&](const char* name, std::size_t components) {
    GltfDocument::Numbers numbers;
    if (!attributes.contains(name)) return numbers;
    numbers = document.accessor(document.whole(attributes[name]));
    if (numbers.components != components || (count > 0 && numbers.count() != count)) {
      document.fail("damaged instances");
    }
    count = numbers.count();
    return numbers;
  };
  const GltfDocument::Numbers translations = read("TRANSLATION", 3);
  const GltfDocument::Numbers rotations = read("ROTATION", 4);
  const GltfDocument::Numbers scales = read("SCALE", 3);
  std::vector<Eigen::Affine3d> transforms;
  for (std::size_t i = 0; i < count; ++i) {
    NodePlace place;
    if (!translations.values.empty()) {
      place.translation = Eigen::Map<const Vec3>(&translations.values[3 * i]);
    }
    if (!rotations.values.empty()) {
      const Eigen::Quaterniond q(&rotations.values[4 * i]);
      if (q.norm() > 0) place.rotation = q.normalized();
    }
    if (!scales.values.empty()) place.scale = Eigen::Map<const Vec3>(&scales.values[3 * i]);
    transforms.push_back(place.transform());
  }
  return transforms;
}

/// The kept vertices with their morph targets weighed in, in the mesh's own coordinates.
Positions morphed(const CastMesh& cast, const std::vector<double>& weights) {
  const GltfMesh& mesh = cast.mesh;
  Positions positions(static_cast<Eigen::Index>(cast.kept.size()), 3);
  for (std::size_t i = 0; i < cast.kept.size(); ++i) {
    positions.row(static_cast<Eigen::Index>(i)) = mesh.positions.row(cast.kept[i]);
  }
  for (std::size_t t = 0; t < std::min(weights.size(), mesh.targets.size()); ++t) {
    if (weights[t] == 0) continue;
    for (std::size_t i = 0; i < cast.kept.size(); ++i) {
      positions.row(static_cast<Eigen::Index>(i)) += weights[t] * mesh.targets[t].row(cast.kept[i]);
    }
  }
  return positions;
}

std::vector<Eigen::Affine3d> joint_matrices(const GltfSkin& skin,
                                            const std::vector<Eigen::Affine3d>& world) {
  std::vector<Eigen::Affine3d> matrices;
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    matrices.push_back(world[skin.joints[j]] * skin.inverse_binds[j]);
  }
  return matrices;
}

/// Linear blend skinning (glTF 2.0, 3.7.3.3): the node's own transform does not count.
void carry(const CastMesh& cast, const std::vector<Eigen::Affine3d>& matrices,
           Eigen::Ref<Positions> positions) {
  const GltfMesh& mesh = cast.mesh;
  for (std::size_t i = 0; i < cast.kept.size(); ++i) {
    const Vec3 bound = positions.row(static_cast<Eigen::Index>(i));
    Vec3 carried = Vec3::Zero();
    for (std::size_t k = 0; k < mesh.influences; ++k) {
      const std::size_t entry = mesh.influences * static_cast<std::size_t>(cast.kept[i]) + k;
      if (mesh.shares[entry] == 0) continue;
      carried += mesh.shares[entry] * (matrices[mesh.joints[entry]] * bound);
    }
    positions.row(static_cast<Eigen::Index>(i)) = carried;
  }
}
}  // namespace

GltfCast::GltfCast(const GltfDocument& document, const GltfNodes& nodes) : nodes_(nodes) {
  read_skins(document);
  for (const int node : nodes.scene_order()) show(document, node);
}

void GltfCast::read_skins(const GltfDocument& document) {
  for (std::size_t s = 0; s < document.item_count("skins"); ++s) {
    const nlohmann::json& described = document.item("skins", s);
    GltfSkin skin;
    for (const nlohmann::json& joint : gltf_list(described, "joints")) {
      const std::size_t node = document.whole(joint);
      (void)document.item("nodes", node);  // must be there
      skin.joints.push_back(static_cast<int>(node));
    }
    skin.inverse_binds.assign(skin.joints.size(), Eigen::Affine3d::Identity());
    if (described.contains("inverseBindMatrices")) {
      const GltfDocument::Numbers numbers =
          document.accessor(document.whole(described["inverseBindMatrices"]));
      if (numbers.components != 16 || numbers.count() < skin.joints.size()) {
        document.fail("skin " + std::to_string(s) + " has too few inverse bind matrices");
      }
      for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        skin.inverse_binds[j].matrix() = Eigen::Map<const Eigen::Matrix4d>(&numbers.values[16 * j]);
        skin.inverse_binds[j].makeAffine();
      }
    }
    skins_.push_back(std::move(skin));
  }
}

const CastMesh& GltfCast::mesh(const GltfDocument& document, std::size_t number) {
  const auto [place, is_new] = meshes_.try_emplace(number);
  CastMesh& cast = place->second;
  if (!is_new) return cast;
  cast.mesh = read_gltf_mesh(document, number);
  const std::vector<int> first = first_companions(cast.mesh);
  cast.companion.resize(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool kept = first[i] == static_cast<int>(i);
    cast.companion[i] = kept ? static_cast<int>(cast.kept.size()) : cast.companion[first[i]];
    if (kept) cast.kept.push_back(static_cast<int>(i));
  }
  return cast;
}

void GltfCast::show(const GltfDocument& document, int node) {
  const GltfNode& shown = nodes_.nodes()[node];
  if (shown.mesh == GltfDocument::kNone) return;
  Showing showing;
  showing.shown = &mesh(document, shown.mesh);
  showing.node = node;
  // Without joints in its vertices a mesh stays with its node, whatever skin that names.
  if (showing.shown->mesh.influences > 0) showing.skin = shown.skin;
  check_skin(document, showing);
  const std::size_t most = std::max(kSmall, kMostNumbersAByte * document.file_size());
  const GltfMesh& repeated = showing.shown->mesh;
  const bool carried = showing.skin != GltfDocument::kNone;
  for (const Eigen::Affine3d& instance :
       carried ? std::vector{Eigen::Affine3d::Identity()}
               : instances(document, document.item("nodes", static_cast<std::size_t>(node)))) {
    showing.within_node = instance;
    showing.first_vertex = vertex_count_;
    vertex_count_ += static_cast<int>(showing.shown->kept.size());
    coordinates_ += static_cast<std::size_t>(repeated.positions.size());
    corners_ += repeated.corners.size();
    if (coordinates_ > most || corners_ > most || showings_.size() > most) {
      document.fail("repeats its meshes too often");
    }
    showings_.push_back(showing);
  }
}

void GltfCast::check_skin(const GltfDocument& document, const Showing& showing) const {
  if (showing.skin == GltfDocument::kNone) return;
  (void)document.item("skins", showing.skin);  // must be there
  const std::vector<int>& joints = showing.shown->mesh.joints;
  const int most = *std::max_element(joints.begin(), joints.end());
  if (most >= static_cast<int>(skins_[showing.skin].joints.size())) {
    document.fail("a mesh names joint " + std::to_string(most) + " of a skin that has " +
                  std::to_string(skins_[showing.skin].joints.size()));
  }
}

Positions GltfCast::posed(const GltfPose& pose) const {
  const std::vector<Eigen::Affine3d> world = nodes_.world(pose);
  Positions positions(vertex_count_, 3);
  for (const Showing& showing : showings_) {
    Positions part = morphed(*showing.shown, pose.weights[showing.node]);
    if (showing.skin != GltfDocument::kNone) {
      carry(*showing.shown, joint_matrices(skins_[showing.skin], world), part);
    } else {
      const Eigen::Affine3d placed = world[showing.node] * showing.within_node;
      for (Eigen::Index i = 0; i < part.rows(); ++i) {
        part.row(i) = (placed * part.row(i).transpose()).transpose();
      }
    }
    positions.middleRows(showing.first_vertex, part.rows()) = part;
  }
  return positions;
}

bool GltfCast::is_mirrored(const Showing& showing,
                           const std::vector<Eigen::Affine3d>& world) const {
  if (showing.skin == GltfDocument::kNone) {
    return (world[showing.node] * showing.within_node).linear().determinant() < 0;
  }
  const std::vector<Eigen::Affine3d> matrices = joint_matrices(skins_[showing.skin], world);
  const auto mirrored = std::count_if(matrices.begin(), matrices.end(), [](const auto& matrix) {
    return matrix.linear().determinant() < 0;
  });
  return 2 * mirrored > std::ssize(matrices);
}

}  // namespace limber
