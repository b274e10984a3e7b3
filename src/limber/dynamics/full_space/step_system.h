// The linear system of an implicit step of h seconds, and how a body responds to impulses over it:
//   A = (1 + hα) M + (h² + hβ) K + handles and ground.
//
// Factors of A at rest precondition it. One factor serves all steps within a fifth of its own, the
// solver's iterations doing the rest: a step that changes from frame to frame costs no factor and
// no memory. The first step of a body decides which factors there are.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "limber/dynamics/full_space/attached_preconditioner.h"
#include "limber/dynamics/full_space/full_system.h"
#include "limber/dynamics/full_space/krylov.h"

namespace limber {

/// The preconditioners of steps around h.
struct StepFactor {
  int band = 0;  // h = (first step) · kBandRatio^band
  long last_used = 0;
  BlockMatrix rest;  // A at rest, without what is attached
  std::unique_ptr<RestPreconditioner> preconditioner;
  std::unique_ptr<AttachedPreconditioner> attached;  // where something was
  std::unique_ptr<NodeCompliance> rows;              // where impulses act
};

class StepSystem {
 public:
  /// `system` must outlive this.
  explicit StepSystem(FullSystem& system);

  /// Makes all ready for steps of h seconds. A fault: numbers too large to factor.
  [[nodiscard]] Fault prepare(double h) noexcept;
  /// Damping or ground have changed.
  void forget_factors();
  /// The ground's springs were used for something else.
  void forget_step() { h_ = 0; }

  [[nodiscard]] double h() const { return h_; }
  /// Of prepare().
  [[nodiscard]] StepFactor& factor() { return *factor_; }
  [[nodiscard]] const std::vector<AttachedBlock>& blocks() const { return blocks_; }

  /// Whether what a step leaves goes into the next, late but not lost. With a matrix that is new in
  /// every step and has no symmetry, each digit of a step costs a solve with the rest factor.
  [[nodiscard]] bool passes_on() const;

  /// The matrix of the step at the elasticity's linearised state, unless it is there or its
  /// products come without it.
  void assemble(Tangent kind);
  /// A x = b to |r| ≤ goal, from x = 0. On entry r holds b, on return what is left of it.
  KrylovStatus solve(double goal, Vector& x, Vector& r);
  [[nodiscard]] Tangent held_tangent() const;
  /// Whether the corotational law's products can stand in for those of a nonlinear one.
  [[nodiscard]] bool can_hold() const { return by_products(Tangent::held); }

  /// How many nodes row_compliance() has room for from now on.
  void reserve_rows(int nodes);
  /// Of the present factor, by at_rest().
  [[nodiscard]] NodeCompliance& row_compliance();
  /// A⁻¹ at rest, nothing attached, to about 1e-6 of it; the factor's rotations must be none.
  [[nodiscard]] const Preconditioner& at_rest() const { return at_rest_; }

  void archive(StateArchive& state);

 private:
  class Matrix;
  class Products;
  /// The factor's numbers have few bits: conjugate gradients do the rest.
  class AtRest final : public Preconditioner {
   public:
    explicit AtRest(const StepSystem& step)
        : step_(step), krylov_(step.A_.size()), left_(step.A_.size()) {}
    void apply(const Vector& r, Vector& z) const override;

   private:
    const StepSystem& step_;
    mutable Krylov krylov_;
    mutable Vector left_;
  };
  static constexpr double kBandRatio = 1.5;
  static constexpr int kMostFactors = 3;

  [[nodiscard]] StepFactor& find_factor(int band);
  void make_factor(int band, StepFactor& factor);
  void assemble_rest(double h);
  [[nodiscard]] bool by_products(Tangent kind) const;
  [[nodiscard]] bool constant() const {
    return system_.elasticity->constant() && !system_.attached();
  }
  [[nodiscard]] const Preconditioner& preconditioner() const;

  FullSystem& system_;
  double h_ = 0;
  double first_h_ = 0;
  long uses_ = 0;
  int row_nodes_ = 0;
  std::vector<StepFactor> factors_;
  StepFactor* factor_ = nullptr;
  BlockMatrix A_;
  bool products_ = false;  // in the place of A_, as of assemble()
  BlockMatrix constant_matrix_;  // of linear elasticity
  std::vector<AttachedBlock> blocks_;
  Krylov krylov_;
  mutable Positions field_, product_;  // scratch
  AtRest at_rest_{*this};
};

}  // namespace limber
