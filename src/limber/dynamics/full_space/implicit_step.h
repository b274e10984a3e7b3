// One implicit Euler step of a full-resolution body:
//   M (v⁺ − v) = h (f_elastic(x + h v⁺) − C v⁺ + f_outer),  x⁺ = x + h v⁺,  C = αM + βK.
// Methods that hold their rotations over a step need one linear system, nonlinear ones Newton's
// method.
#pragma once

#include "limber/dynamics/full_space/full_system.h"
#include "limber/dynamics/full_space/guard.h"
#include "limber/dynamics/full_space/step_system.h"

namespace limber {

class ImplicitStep {
 public:
  /// Both must outlive this.
  ImplicitStep(FullSystem& system, StepSystem& linear);

  /// Finds the end of a step that has begun, for which `linear` is prepared.
  [[nodiscard]] Fault solve(const NodeState& now, Trial& trial, Guard& guard);

 private:
  // Rotations held (implicit_step.cpp).
  [[nodiscard]] Fault solve_held();
  [[nodiscard]] Fault iterate_held();
  [[nodiscard]] double tolerance() const;
  [[nodiscard]] bool keeps_momentum() const;
  void keep_momentum();
  void evaluate_residual(const Positions& velocities, int pass);
  [[nodiscard]] double residual_scale();
  KrylovStatus solve_linear(double goal);

  // Newton's method (implicit_newton.cpp).
  enum class HeldPasses { converged, nearer, useless };
  [[nodiscard]] Fault solve_nonlinear();
  [[nodiscard]] HeldPasses iterate_corotational();
  void choose_nonlinear_start();
  bool search(int pass);
  [[nodiscard]] double potential(const Positions& velocities);
  [[nodiscard]] Fault inversion(double least_volume) const;

  FullSystem& system_;
  StepSystem& linear_;
  const NodeState* now_ = nullptr;  // of the present step
  Trial* trial_ = nullptr;
  Positions base_v_, scratch_, product_;
  Vector r_, direction_, gradient_;
};

}  // namespace limber
