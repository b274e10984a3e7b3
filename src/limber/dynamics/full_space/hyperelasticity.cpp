#include "limber/dynamics/full_space/hyperelasticity.h"

#include "limber/fem/corotational.h"
#include "limber/fem/neo_hookean.h"
#include "limber/fem/rotated_elements.h"
#include "limber/fem/stvk.h"

namespace limber {

namespace {

/// All but the law. Damping is that of the corotational method.
class Hyperelasticity : public Elasticity {
 public:
  explicit Hyperelasticity(const SimulatedMesh& mesh)
      : mesh_(mesh), elements_(mesh.tets()), node_rotations_(mesh), linearised_at_(mesh.mesh().V) {}

  void linearise(const Positions& positions) override {
    linearised_at_ = positions;
    rotate_elements(mesh_.tets(), positions, elements_);
  }
  void add_step_forces(const Positions& end, const Positions& velocities, double beta,
                       Positions& forces) override {
    add_forces(end, forces);
    if (beta > 0) add_rotated_product(elements_, -beta, velocities, forces);
  }
  void add_tangent(double elastic, double damping, Tangent kind, BlockMatrix& A) override {
    add_law_tangent(elastic, kind, A);
    if (damping == 0) return;
    add_corotational_tangent(mesh_.tets(), elements_.rotations, damping, mesh_.slots(), A);
  }
  bool has_product(Tangent kind) const override { return kind == Tangent::held; }
  void add_product(double factor, const Positions& field, Positions& out) const override {
    add_rotated_product(elements_, factor, field, out);
  }
  const NodeRotations* node_rotations() override {
    node_rotations_.average(elements_.rotations);
    return &node_rotations_;
  }
  bool true_forces() const override { return true; }
  bool nonlinear() const override { return true; }

 protected:
  virtual void add_law_tangent(double elastic, Tangent kind, BlockMatrix& A) = 0;

  const SimulatedMesh& mesh_;
  RotatedElements elements_;
  NodeRotations node_rotations_;
  Positions linearised_at_;
};

class StvkElasticity final : public Hyperelasticity {
 public:
  using Hyperelasticity::Hyperelasticity;

  void add_forces(const Positions& positions, Positions& forces) override {
    add_stvk_forces(mesh_.tets(), positions, forces);
  }
  double energy(const Positions& positions) override {
    return stvk_energy(mesh_.tets(), positions);
  }
  bool bears_inversion() const override { return false; }

 private:
  void add_law_tangent(double elastic, Tangent kind, BlockMatrix& A) override {
    const double geometric = kind == Tangent::exact ? elastic : 0;
    add_stvk_tangent(mesh_.tets(), linearised_at_, elastic, geometric, mesh_.slots(), A);
  }
};

class NeoHookeanElasticity final : public Hyperelasticity {
 public:
  explicit NeoHookeanElasticity(const SimulatedMesh& mesh) : Hyperelasticity(mesh) {
    const TetMesh& tets = mesh.mesh();
    for (int tet = 0; tet < tets.tet_count(); ++tet) {
      const Material& material = mesh.materials().of(tets.region(tet));
      largest_term_ += mesh.geometry().volumes[tet] * (material.lambda() + 2 * material.mu());
    }
  }

  void add_forces(const Positions& positions, Positions& forces) override {
    add_neo_hookean_forces(mesh_.tets(), law_, positions, forces);
  }
  double energy(const Positions& positions) override {
    return neo_hookean_energy(mesh_.tets(), law_, positions);
  }
  /// μ (I − 3)/2 and the terms that cancel it at rest.
  double energy_rounding() const override { return 4e-16 * largest_term_; }

 private:
  void add_law_tangent(double elastic, Tangent kind, BlockMatrix& A) override {
    if (kind == Tangent::exact) {
      add_exact_neo_hookean_tangent(mesh_.tets(), law_, linearised_at_, elastic, mesh_.slots(), A);
    } else {
      add_safe_neo_hookean_tangent(mesh_.tets(), law_, elements_.rotations, linearised_at_, elastic,
                                   mesh_.slots(), A);
    }
  }

  NeoHookean law_;
  double largest_term_ = 0;  // of all tets' energies, J
};

}  // namespace

std::unique_ptr<Elasticity> make_stvk_elasticity(const SimulatedMesh& mesh) {
  return std::make_unique<StvkElasticity>(mesh);
}

std::unique_ptr<Elasticity> make_neo_hookean_elasticity(const SimulatedMesh& mesh) {
  return std::make_unique<NeoHookeanElasticity>(mesh);
}

}  // namespace limber
