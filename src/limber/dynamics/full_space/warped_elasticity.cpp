#include "limber/dynamics/full_space/warped_elasticity.h"

#include "limber/fem/corotational.h"
#include "limber/fem/spring_network.h"
#include "limber/fem/stiffness.h"

namespace limber {

namespace {

class WarpedElasticity final : public Elasticity {
 public:
  WarpedElasticity(const SimulatedMesh& mesh, const FullBodyOptions& options)
      : mesh_(mesh),
        field_(mesh, options.rotation_field),
        rotations_(mesh),
        tet_rotations_(mesh.tets().batch_count()) {
    copy_blocks(options.network == Network::springs
                    ? spring_stiffness(mesh.mesh(), mesh.materials())
                    : stiffness(mesh.mesh(), mesh.materials(), mesh.geometry(), mesh.graph()));
  }

  void linearise(const Positions& positions) override { field_.find(positions, rotations_); }

  void add_forces(const Positions& positions, Positions& forces) override {
    const double* const x = positions.data();
    for (int i = 0; i < mesh_.free_count(); ++i) {
      const int node = mesh_.free().nodes()[i];
      const Mat3 R = rotations_[i];
      const Eigen::Map<const Vec3> own(x + 3 * node);
      Vec3 sum = rest_forces_.col(i);
      const auto neighbours = mesh_.graph().neighbours(node);
      const double* block = blocks_.data() + 9 * offsets_[i];
      // Since Σ_j k_ij = 0, positions may be taken relative to the node's own.
      for (const int other : neighbours) {
        const Vec3 edge = Eigen::Map<const Vec3>(x + 3 * other) - own;
        sum.noalias() -= Eigen::Map<const Mat3>(block) * (R.transpose() * edge);
        block += 9;
      }
      forces.row(node) += (R * sum).transpose();
    }
  }

  void add_tangent(double elastic, double damping, Tangent, BlockMatrix& A) override {
    const BlockPattern& pattern = A.pattern();
    for (int i = 0; i < mesh_.free_count(); ++i) {
      const Mat3 R = rotations_[i];
      const Mat3 scaled = (elastic + damping) * R;
      const double* block = blocks_.data() + 9 * offsets_[i];
      int k = pattern.offsets[i];
      for (const int other : mesh_.graph().neighbours(mesh_.free().nodes()[i])) {
        if (mesh_.free().free_index(other) >= 0) {
          A.block(k++).noalias() += scaled * Eigen::Map<const Mat3>(block) * R.transpose();
        }
        block += 9;
      }
    }
  }

  /// There is no potential; this is what the corotational method would store.
  double energy(const Positions& positions) override {
    tet_rotations(mesh_.tets(), positions, tet_rotations_);
    return corotational_energy(mesh_.tets(), tet_rotations_, positions);
  }
  const NodeRotations* node_rotations() override { return &rotations_; }
  bool symmetric() const override { return false; }

 private:
  /// Row by row of the free nodes: k_ij for all neighbours j, fixed ones too.
  void copy_blocks(const SparseMatrix& K) {
    const Positions& X = mesh_.mesh().V;
    rest_forces_ = Eigen::Matrix3Xd::Zero(3, mesh_.free_count());
    for (int i = 0; i < mesh_.free_count(); ++i) {
      const int node = mesh_.free().nodes()[i];
      offsets_.push_back(static_cast<int>(blocks_.size() / 9));
      for (const int other : mesh_.graph().neighbours(node)) {
        Mat3 block;
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 3; ++c) block(r, c) = K.coeff(3 * node + r, 3 * other + c);
        }
        blocks_.insert(blocks_.end(), block.data(), block.data() + 9);
        rest_forces_.col(i) += block * (X.row(other) - X.row(node)).transpose();
      }
    }
  }

  const SimulatedMesh& mesh_;
  EdgeRotations field_;
  NodeRotations rotations_;
  TetMatrices tet_rotations_;
  std::vector<int> offsets_;      // first block of each free node
  std::vector<double> blocks_;    // k_ij, column-major
  Eigen::Matrix3Xd rest_forces_;  // Σ_j k_ij X_j
};

}  // namespace

std::unique_ptr<Elasticity> make_warped_elasticity(const SimulatedMesh& mesh,
                                                   const FullBodyOptions& options) {
  return std::make_unique<WarpedElasticity>(mesh, options);
}

}  // namespace limber
