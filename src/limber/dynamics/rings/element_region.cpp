#include "limber/dynamics/rings/element_region.h"

#include <algorithm>

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/warp.h"

namespace limber {

ElementRegion::ElementRegion(const TetMesh& mesh, const Materials& materials,
                             const ModalModel& model, const NodalRows& rows)
    : mesh_(mesh),
      materials_(materials),
      model_(model),
      rows_(rows),
      graph_(mesh_),
      geometry_(element_geometry(mesh_)),
      u_(static_cast<std::size_t>(mesh.node_count()), Vec3::Zero()),
      positions_(mesh.V),
      forces_(Positions::Zero(mesh.node_count(), 3)) {}

void ElementRegion::set_nodes(std::span<const int> nodes) {
  inner_.assign(nodes.begin(), nodes.end());
  tet_list_.clear();
  for (const int node : inner_) {
    for (const int corner : graph_.corners(node)) tet_list_.push_back(corner / 4);
  }
  const auto unique = [](std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  unique(tet_list_);
  nodes_.clear();
  for (const int tet : tet_list_) {
    for (int c = 0; c < 4; ++c) nodes_.push_back(mesh_.T(tet, c));
  }
  unique(nodes_);
  tets_ = tet_list_.empty() ? TetBatches() : TetBatches(mesh_, materials_, geometry_, tet_list_);
  rotations_.resize(static_cast<std::size_t>(tets_.batch_count()));
}

void ElementRegion::law_difference(const Vector& q, Eigen::Ref<Vector> r) {
  for (const int node : nodes_) {
    const Vec3 w = node_Psi(model_, node) * q;
    positions_.row(node) =
        mesh_.V.row(node) +
        (mean_rotation(w) * u_[static_cast<std::size_t>(node)]).transpose();
    forces_.row(node).setZero();
  }
  tet_rotations(tets_, positions_, rotations_);
  add_corotational_forces(tets_, rotations_, positions_, forces_);
  for (std::size_t k = 0; k < inner_.size(); ++k) {
    const int node = inner_[k];
    Vec3 Ku = Vec3::Zero();
    for (int entry = rows_.offset(node); entry < rows_.offset(node + 1); ++entry)
      Ku += rows_.K(entry) * u_[static_cast<std::size_t>(rows_.neighbour(entry))];
    const Mat3 R = rotation_exp(node_Psi(model_, node) * q);
    r.segment<3>(3 * static_cast<Eigen::Index>(k)) =
        Ku + R.transpose() * forces_.row(node).transpose();
  }
}

}  // namespace limber
