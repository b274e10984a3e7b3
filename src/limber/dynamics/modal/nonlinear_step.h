// One implicit step of amplitudes that an elasticity of their own drives: a reduced body's.
//
//   q̈ + C q̇ + g(q) = f,   g = ∂W/∂q,   C = α + β Λ (Rayleigh, with the stiffness at rest)
//
// In flight by the discrete gradient of Gonzalez 1996: with d = q' − q and v' = 2d/h − v,
//   (v' − v)/h + C d/h + ḡ = f,   ḡ = g(q̄) + (W(q') − W(q) − g(q̄)·d)/|d|² d,   q̄ = q + d/2:
// implicit midpoint that keeps the energy W + ½|v|² − f·q to the tolerance of its solution, so that
// no step size makes an undamped body gain any. While touching by backward Euler, v' = d/h, so that
// impulses which stop a body leave it where it is. Newton's method, one factor a step where that
// converges. Symbols: A the step's matrix, factored as L Lᵀ: d changes by A⁻¹ f.
#pragma once

#include <Eigen/Cholesky>

#include "limber/core/state_archive.h"
#include "limber/dynamics/dynamic_body.h"
#include "limber/material/material.h"
#include "limber/modes/playback/reduced_elements.h"

namespace limber {

class NonlinearStep {
 public:
  /// Eigenvalues (r) of the stiffness at rest.
  NonlinearStep(ReducedElements elements, ElasticLaw law, const Vector& eigenvalues);

  [[nodiscard]] const ReducedElements& elements() const { return elements_; }
  [[nodiscard]] double energy(const Vector& q) const { return elements_.energy(law_, q); }
  /// g and K = ∂g/∂q.
  void elastic(const Vector& q, Vector& g, Eigen::MatrixXd* K) const;

  /// Moves q and v over h seconds under the constant modal force f. What handles are known to add,
  /// `held`, is part of f while the equations are solved, and then taken away again to first order:
  /// handles that add the same find the solution with it, exactly. Does not allocate.
  StepStatus advance(double h, StepKind kind, const Damping& damping, const Vector& f,
                     const Vector& held, Vector& q, Vector& v) noexcept;
  /// The response that rows of contacts see from now on, steps in between or not: that of a
  /// touching step of h seconds from q.
  void prepare_rows(double h, const Damping& damping, const Vector& q) noexcept;

  /// What forces over the step (rows of modal forces, in `velocities`), or impulses at its start,
  /// do to q and v at its end.
  void respond(bool impulses, Eigen::Ref<ModeMatrix, 0, Eigen::OuterStride<>> positions,
               Eigen::Ref<ModeMatrix, 0, Eigen::OuterStride<>> velocities) const;
  /// q̈ at the start of the last step.
  [[nodiscard]] const Vector& start_acceleration() const { return start_acceleration_; }

  // Rows of contacts: with S Sᵀ what impulses over a touching step do to velocities, a row J
  // becomes J S, a velocity S⁻¹ v, and a scaled impulse changes v by S times itself.
  void scale_row(Vector& row) const noexcept;
  void scale_motion(Vector& motion) const noexcept;
  void unscale(Vector& change) const noexcept;

 private:
  void factor(double h, StepKind kind, const Damping& damping, const Vector& at) noexcept;
  void set_residual(double h, const Vector& f, const Vector& q, const Vector& v);

  ReducedElements elements_;
  ElasticLaw law_;
  Vector eigenvalues_;
  Vector damping_;  // C
  Eigen::MatrixXd A_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::LLT<Eigen::MatrixXd> rows_factor_;  // of prepare_rows()
  double rows_h_ = 1;
  double h_ = 0;  // that the factor belongs to
  StepKind kind_ = StepKind::flight;
  Vector d_, at_, end_, g_, residual_, step_;
  Vector start_acceleration_;
  double start_energy_ = 0;
  mutable Vector column_;
};

}  // namespace limber
