// Springs from points of a modal body to targets, stable at any stiffness (Müller et al. 2002,
// 4.2).
//
// Forces constant over the step, F = k (x* − x) − (d + kh/2) ẋ with x and ẋ at the step's *end*, x
// along its tangent J at the start; F acts by virtual work, JᵀF, so that no spring gains energy
// however far it pulls. The kh/2 is numerical: without it a hard spring on the exact oscillator
// makes the velocity change sign from step to step; with it the motion along a hard spring dies out
// in two steps, and at rest it does nothing. All springs of a body are solved together.
#pragma once

#include <vector>

#include "limber/constraint/force_response.h"
#include "limber/constraint/held_point.h"

namespace limber {

class SpringSolver {
 public:
  /// Allocates all memory. `springs` must outlive this.
  SpringSolver(const std::vector<HeldPoint>& springs, const StepContext& step);

  /// Changes the free end of the step by what the springs do over it; adds the modal force.
  void correct(const StepContext& step, ModalState& end, Vector& force);

  /// Of the last step, N, 3 a spring, in the coordinates of the targets.
  [[nodiscard]] const Vector& forces() const { return forces_; }

 private:
  void linearise(const StepContext& step, const ModalState& end);

  const std::vector<HeldPoint>& springs_;
  HandleSpace space_;
  HandlePose start_;
  ForceResponse response_;                          // its G are the rows J
  Eigen::Array<bool, Eigen::Dynamic, 1> impulses_;  // none
  Eigen::MatrixXd system_;                          // 3s×3s
  Vector stiffness_, resistance_;                   // 3s: k, d + kh/2
  Vector missing_, forces_;                         // 3s
  Vector way_, velocity_;                           // d
  ModalState free_end_;
};

}  // namespace limber
