// Handles on a modal body: hard ones by position, orientation, velocity or acceleration, and
// springs. Choi & Ko 2005, section V; Hauser et al. 2003, section 3.4.1.
//
// Symbols: f (3μ) unknown forces at the exercised points, constant over the step, in the points'
// turned frames; X (3μ×m) their rows of Φ; D, V (m) what a modal force does to q and v at the end
// of the step (D is γ of eq. 19, and P of Hauser's corrected eq. 15); J (k×m) the handles' rows;
// B = J D Xᵀ (k×3μ); S the handles' mean rotations R~.
//
// Deviates: an impulse at the end of the step gives the handles the velocity (J q' − J q)/h. By
// eq. 19 they have it anyway; with the exact oscillator, which the paper only mentions, a force
// that holds a position would make the velocity change sign from step to step. Far from rest, where
// the paper's equations throw bodies about, forces act by virtual work: handle_iteration.cpp.
#pragma once

#include <memory>
#include <vector>

#include "limber/constraint/handle.h"
#include "limber/constraint/handle_solver.h"
#include "limber/constraint/soft_handles.h"
#include "limber/dynamics/modal/step_correction.h"

namespace limber {

/// How far the handles are from what they ask for, the largest of each kind.
struct ConstraintErrors {
  double position = 0;     // m
  double orientation = 0;  // rad
};

/// A force that handles put on a point over the last step.
struct HandleForce {
  int handle = 0;
  HandlePoint point;
  Vec3 force = Vec3::Zero();  // N, the support's frame
};

class ConstraintSet final : public StepCorrection {
 public:
  /// Which of position and orientation comes first where both cannot be met.
  enum class Priority { position, orientation };

  ConstraintSet(ModalModel body, ModalMethod method, Priority priority = Priority::position);

  /// Returns a number for move() and remove(). Throws Error, and changes nothing, when the point
  /// is not in the body or fixed, or the target is not finite.
  int add(const Handle& handle);
  int add(const SoftHandle& handle);
  /// From now on the handle asks for this. Throws Error for an unknown number or a target that is
  /// not finite.
  void move(int handle, const Vec3& target);
  /// Throws Error for an unknown number: also when it was removed before.
  void remove(int handle);
  [[nodiscard]] bool empty() const { return hard_.empty() && soft_.empty(); }

  [[nodiscard]] bool active() const override { return !empty(); }
  void correct(const StepContext& step, Vector& q, Vector& v, Vector& force) override;

  /// Of the state q at a time.
  [[nodiscard]] ConstraintErrors errors(const Vector& q, double time) const;
  /// Over the last step; empty before the first.
  [[nodiscard]] std::vector<HandleForce> forces() const;
  /// Seconds spent in correct() so far.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  [[nodiscard]] Path& target_of(int handle);
  void rebuild(const StepContext& step);

  ModalModel body_;
  ModalMethod method_;
  Priority priority_;
  int next_number_ = 0;
  std::vector<HandleSolver::Entry> hard_;
  std::vector<SoftHandles::Entry> soft_;
  std::unique_ptr<HandleSolver> hard_solver_;  // none until the first step after a change
  std::unique_ptr<SoftHandles> soft_solver_;
  double prepared_h_ = 0;
  Vector start_q_;  // of the last step
  double seconds_ = 0;
};

}  // namespace limber
