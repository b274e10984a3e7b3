#include "limber/dynamics/full_space/warped_elasticity.h"

#include "limber/dynamics/full_space/rigid_core.h"
#include "limber/dynamics/full_space/symmetric_warp.h"
#include "limber/dynamics/full_space/warped_stiffness.h"
#include "limber/fem/corotational.h"
#include "limber/fem/spring_network.h"
#include "limber/fem/stiffness.h"

namespace limber {

namespace {

SparseMatrix stiffness_at_rest(const SimulatedMesh& mesh, Network network) {
  return network == Network::springs
             ? spring_stiffness(mesh.mesh(), mesh.materials())
             : stiffness(mesh.mesh(), mesh.materials(), mesh.geometry(), mesh.graph());
}

/// What both ways of warping share: the rotations of the nodes.
class NodeWarp : public Elasticity {
 public:
  NodeWarp(const SimulatedMesh& mesh, const FullBodyOptions& options)
      : mesh_(mesh),
        field_(mesh, options.rotation_field),
        rotations_(mesh),
        tet_rotations_(mesh.tets().batch_count()) {
    if (!options.core.nodes.empty()) core_.emplace(mesh, options.core);
  }

  /// The nodes of a rigid core turn with it, whatever the skin at them does.
  void linearise(const Positions& positions) override {
    field_.find(positions, rotations_);
    if (!core_) return;
    const Mat3 turn = core_->rotation(positions);
    for (const int row : core_->rows()) rotations_.set(row, turn);
  }

  /// There is no potential; this is what the corotational method would store.
  double energy(const Positions& positions) override {
    tet_rotations(mesh_.tets(), positions, tet_rotations_);
    return corotational_energy(mesh_.tets(), tet_rotations_, positions);
  }
  const NodeRotations* node_rotations() override { return &rotations_; }
  void archive(StateArchive& state) override { state.list(rotations_.lanes()); }

 protected:
  const NodeRotations& rotations() const { return rotations_; }

 private:
  const SimulatedMesh& mesh_;
  EdgeRotations field_;
  std::optional<RigidCore> core_;
  NodeRotations rotations_;
  TetMatrices tet_rotations_;
};

class WarpedElasticity final : public NodeWarp {
 public:
  WarpedElasticity(const SimulatedMesh& mesh, const FullBodyOptions& options)
      : NodeWarp(mesh, options), stiffness_(mesh, stiffness_at_rest(mesh, options.network)) {}

  void add_forces(const Positions& positions, Positions& forces) override {
    stiffness_.add_forces(rotations(), positions, forces);
  }
  void add_tangent(double elastic, double damping, Tangent, BlockMatrix& A) override {
    stiffness_.add_to(elastic + damping, rotations(), A);
  }
  void add_product(double factor, const Positions& field, Positions& out) const override {
    stiffness_.add_product(factor, rotations(), field, out);
  }
  bool has_product(Tangent) const override { return true; }
  bool symmetric() const override { return false; }

 private:
  WarpedStiffness stiffness_;
};

class SymmetricElasticity final : public NodeWarp {
 public:
  SymmetricElasticity(const SimulatedMesh& mesh, const FullBodyOptions& options)
      : NodeWarp(mesh, options), stiffness_(mesh, stiffness_at_rest(mesh, options.network)) {}

  void linearise(const Positions& positions) override {
    NodeWarp::linearise(positions);
    stiffness_.turn(rotations(), positions);
  }
  void add_forces(const Positions& positions, Positions& forces) override {
    stiffness_.add_forces(positions, forces);
  }
  void add_tangent(double elastic, double damping, Tangent, BlockMatrix& A) override {
    stiffness_.add_to(elastic + damping, A);
  }
  void add_product(double factor, const Positions& field, Positions& out) const override {
    stiffness_.add_product(factor, field, out);
  }
  bool has_product(Tangent) const override { return true; }

 private:
  SymmetricWarp stiffness_;
};

}  // namespace

std::unique_ptr<Elasticity> make_warped_elasticity(const SimulatedMesh& mesh,
                                                   const FullBodyOptions& options) {
  if (options.warping == Warping::symmetric)
    return std::make_unique<SymmetricElasticity>(mesh, options);
  return std::make_unique<WarpedElasticity>(mesh, options);
}

}  // namespace limber
