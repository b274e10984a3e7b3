#include "limber/dynamics/full_space/elasticity.h"

#include <string>

#include "limber/core/error.h"
#include "limber/dynamics/full_space/hyperelasticity.h"
#include "limber/dynamics/full_space/warped_elasticity.h"
#include "limber/fem/corotational.h"
#include "limber/fem/rotated_elements.h"

namespace limber {

void Elasticity::add_step_forces(const Positions& end, const Positions& velocities, double beta,
                                 Positions& forces) {
  if (beta == 0) return add_forces(end, forces);
  // With the rotations held, forces are linear: those at x + (h+β) v are those at x + h v plus the
  // damping −β K v.
  shifted_ = end + beta * velocities;
  add_forces(shifted_, forces);
}

namespace {

TetMatrices identities(const TetBatches& tets) {
  TetMatrices matrices(tets.batch_count());
  for (BatchMatrices& batch : matrices) {
    for (int k = 0; k < 9; ++k) batch.entry[k].fill(k % 4 == 0 ? 1.0 : 0.0);
  }
  return matrices;
}

/// Plain linear FEM: corotational with rotations that never turn.
class LinearElasticity final : public Elasticity {
 public:
  explicit LinearElasticity(const SimulatedMesh& mesh)
      : mesh_(mesh), rotations_(identities(mesh.tets())) {}

  void linearise(const Positions&) override {}
  void add_forces(const Positions& positions, Positions& forces) override {
    add_corotational_forces(mesh_.tets(), rotations_, positions, forces);
  }
  void add_tangent(double elastic, double damping, Tangent, BlockMatrix& A) override {
    add_corotational_tangent(mesh_.tets(), rotations_, elastic + damping, mesh_.slots(), A);
  }
  double energy(const Positions& positions) override {
    return corotational_energy(mesh_.tets(), rotations_, positions);
  }
  const NodeRotations* node_rotations() override { return nullptr; }
  bool constant() const override { return true; }
  bool true_forces() const override { return true; }

 private:
  const SimulatedMesh& mesh_;
  TetMatrices rotations_;
};

class CorotationalElasticity final : public Elasticity {
 public:
  explicit CorotationalElasticity(const SimulatedMesh& mesh)
      : mesh_(mesh),
        elements_(mesh.tets()),
        at_rest_(elements_),
        node_rotations_(mesh),
        linearised_at_(mesh.mesh().V) {}

  void linearise(const Positions& positions) override {
    if (positions == linearised_at_) return;  // as when a step follows a question for the energy
    linearised_at_ = positions;
    if (positions == mesh_.mesh().V) {
      elements_ = at_rest_;  // as at the start, to the last bit
    } else {
      rotate_elements(mesh_.tets(), positions, elements_);
    }
  }
  void add_forces(const Positions& positions, Positions& forces) override {
    add_rotated_forces(elements_, positions, forces);
  }
  void add_tangent(double elastic, double damping, Tangent kind, BlockMatrix& A) override {
    if (kind == Tangent::exact) {
      add_exact_corotational_tangent(mesh_.tets(), elements_.rotations, linearised_at_, elastic,
                                     mesh_.slots(), A);
      elastic = 0;
    }
    if (elastic + damping == 0) return;
    add_corotational_tangent(mesh_.tets(), elements_.rotations, elastic + damping, mesh_.slots(),
                             A);
  }
  bool has_product(Tangent kind) const override { return kind == Tangent::safe; }
  void add_product(double factor, const Positions& x, Positions& y) const override {
    add_rotated_product(elements_, factor, x, y);
  }
  double energy(const Positions& positions) override {
    linearise(positions);
    return corotational_energy(mesh_.tets(), elements_.rotations, positions);
  }
  const NodeRotations* node_rotations() override {
    node_rotations_.average(elements_.rotations);
    return &node_rotations_;
  }

 private:
  const SimulatedMesh& mesh_;
  RotatedElements elements_, at_rest_;
  NodeRotations node_rotations_;
  Positions linearised_at_;
};

}  // namespace

std::unique_ptr<Elasticity> make_elasticity(const SimulatedMesh& mesh,
                                            const FullBodyOptions& options) {
  switch (options.method) {
    case Method::linear:
      return std::make_unique<LinearElasticity>(mesh);
    case Method::stvk:
      return make_stvk_elasticity(mesh);
    case Method::neo_hookean:
      return make_neo_hookean_elasticity(mesh);
    case Method::stiffness_warping:
      return make_warped_elasticity(mesh, options);
    case Method::corotational:
      return std::make_unique<CorotationalElasticity>(mesh);
    default:
      break;
  }
  throw Error("the method " + std::string(name_of(options.method)) + " has no nodes of its own",
              "full-resolution body",
              "use corotational, stiffness-warping, linear, stvk or neo-hookean");
}

}  // namespace limber
