#include "limber/dynamics/full_space/symmetric_warp.h"

namespace limber {

SymmetricWarp::SymmetricWarp(const SimulatedMesh& mesh, const SparseMatrix& K)
    : mesh_(mesh),
      held_mass_(mesh.node_mass()),
      rotations_(static_cast<std::size_t>(mesh.node_count()), Mat3::Identity()) {
  for (const int node : mesh.free().nodes()) {
    held_mass_[node] = 0;
    std::vector<Mat3>& row = blocks_.emplace_back();
    for (const int other : mesh.graph().neighbours(node)) {
      Mat3& block = row.emplace_back();
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) block(r, c) = K.coeff(3 * node + r, 3 * other + c);
      }
    }
  }
}

void SymmetricWarp::turn(const NodeRotations& rotations, const Positions& x) {
  if (held_mass_.sum() > 0) {
    const Mat3 held = shape_matching_rotation(held_mass_, mesh_.mesh().V, x);
    std::fill(rotations_.begin(), rotations_.end(), held);
  }
  for (int i = 0; i < mesh_.free_count(); ++i) {
    rotations_[static_cast<std::size_t>(mesh_.free().nodes()[i])] = rotations[i];
  }
}

void SymmetricWarp::add_rows(double factor, const Positions& x, const Positions* rest,
                             Positions& out) const {
  for (int i = 0; i < mesh_.free_count(); ++i) {
    const int node = mesh_.free().nodes()[i];
    Vec3 sum = Vec3::Zero();
    std::size_t k = 0;
    for (const int other : mesh_.graph().neighbours(node)) {
      Vec3 turned = rotations_[static_cast<std::size_t>(other)].transpose() * x.row(other).transpose();
      if (rest != nullptr) turned -= rest->row(other).transpose();
      sum += blocks_[static_cast<std::size_t>(i)][k++] * turned;
    }
    out.row(node) += factor * (rotations_[static_cast<std::size_t>(node)] * sum).transpose();
  }
}

void SymmetricWarp::add_forces(const Positions& x, Positions& forces) const {
  add_rows(-1, x, &mesh_.mesh().V, forces);
}

void SymmetricWarp::add_product(double factor, const Positions& x, Positions& out) const {
  add_rows(factor, x, nullptr, out);
}

void SymmetricWarp::add_to(double factor, BlockMatrix& A) const {
  const BlockPattern& pattern = A.pattern();
  for (int i = 0; i < mesh_.free_count(); ++i) {
    const int node = mesh_.free().nodes()[i];
    std::size_t k = 0;
    for (const int other : mesh_.graph().neighbours(node)) {
      const Mat3& block = blocks_[static_cast<std::size_t>(i)][k++];
      const int column = mesh_.free().free_index(other);
      if (column < 0) continue;
      A.block(pattern.find(i, column)) += factor * rotations_[static_cast<std::size_t>(node)] *
                                          block *
                                          rotations_[static_cast<std::size_t>(other)].transpose();
    }
  }
}

}  // namespace limber
