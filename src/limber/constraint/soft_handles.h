// Springs from points of a body to targets, stable at any stiffness (Müller et al. 2002, 4.2).
#pragma once

#include <vector>

#include "limber/constraint/handle.h"
#include "limber/dynamics/modal/step_correction.h"

namespace limber {

/// Forces constant over the step, F = k (x* − x) − (d + kh/2) ẋ with x and ẋ at the step's *end*,
/// x along its tangent C at the start; F acts on the modes by virtual work, CᵀF, so that no spring
/// gains energy however far it pulls. The kh/2 is numerical: without it a hard spring on the exact
/// oscillator makes the velocity change sign from step to step; with it the motion along a hard
/// spring dies out in two steps, and at rest it does nothing. All springs of a body are solved
/// together.
class SoftHandles {
 public:
  struct Entry {
    int number = 0;
    SoftHandle handle;
    PointRows rows;
  };

  /// Allocates all memory. `entries` must outlive this.
  SoftHandles(const std::vector<Entry>& entries, const StepContext& step);

  void correct(const StepContext& step, Vector& q, Vector& v, Vector& force);

  /// Of the last step, in the support's frame, N, 3 a spring.
  [[nodiscard]] const Vector& forces() const { return spring_force_; }

 private:
  void linearise(const StepContext& step, const Vector& q, const Vector& v);

  const std::vector<Entry>& entries_;
  ThreeRows row_;
  Eigen::MatrixXd C_;           // 3s×m: derivatives of the points' places
  Eigen::MatrixXd response_q_;  // m×3s per unit of force
  Eigen::MatrixXd response_v_;  // m×3s
  Eigen::MatrixXd system_;      // 3s×3s
  Vector stiffness_;            // 3s
  Vector resistance_;           // 3s: d + kh/2
  Vector missing_;
  Vector spring_force_;
};

}  // namespace limber
