// The forces that make hard handles hold, everything constant precomputed.
#pragma once

#include <vector>

#include "limber/constraint/damped_least_squares.h"
#include "limber/constraint/handle.h"
#include "limber/dynamics/modal/step_correction.h"

namespace limber {

/// Position and orientation handles fix where the step ends; the others where it starts.
[[nodiscard]] inline bool fixes_end(const Handle& handle) {
  return handle.kind == HandleKind::position || handle.kind == HandleKind::orientation;
}

/// Symbols as in constraint_set.h. Task 1 comes before task 2 (Choi & Ko 2005, eq. 29).
class HandleSolver {
 public:
  struct Entry {
    int number = 0;
    Handle handle;
    PointRows rows;
    std::vector<HandlePoint> exercised;
  };
  /// A point where forces act: three of the unknowns.
  struct Exercised {
    int handle = 0;
    HandlePoint point;
    PointRows rows;
    HandleKind kind = HandleKind::position;

    /// Velocity handles act by an impulse at the start, not by a force.
    [[nodiscard]] bool impulse() const { return kind == HandleKind::velocity; }
  };

  /// Allocates all memory. `entries` must outlive the solver.
  HandleSolver(const std::vector<Entry>& entries, bool orientation_first, const StepContext& step);

  /// Changes the prediction q, v into the constrained state; adds the modal force.
  void correct(const StepContext& step, Vector& q, Vector& v, Vector& force);

  [[nodiscard]] const std::vector<Exercised>& exercised() const { return exercised_; }
  /// Forces over the last step, N, 3 a point: in the points' frames as they were at its start, or,
  /// by virtual work, those of position handles in the support's frame.
  [[nodiscard]] Vector forces(double h) const;
  [[nodiscard]] bool in_support_frame(const Exercised& point) const {
    return virtual_work_ && point.kind == HandleKind::position;
  }

 private:
  /// Handles of one task, with the rows that do not change from step to step.
  struct Task {
    std::vector<const Entry*> handles;
    Eigen::MatrixXd J;         // k×m: Φ or Ψ rows
    Eigen::MatrixXd B;         // k×3μ
    Eigen::MatrixXd feedback;  // k×k: how the handles' points turn per unit they are displaced by
    Eigen::MatrixXd P;         // 3μ×k: pseudo-inverse, of task 2 within the null space of task 1
    Eigen::MatrixXd Gq;        // m×k: what a unit of b does to q, v and the modal force
    Eigen::MatrixXd Gv;        // m×k
    Eigen::MatrixXd Gf;        // m×k
    Eigen::MatrixXd P_end;     // 3μ×k: impulses at the end for a unit of velocity
    Eigen::MatrixXd G_end;     // m×k: what they do to v
    Vector b;                  // k: what is missing
    Vector b_end;              // k: velocity missing at the end
    bool full_rank = true;
    bool moving = false;  // some handle wants Newton's method
  };

  /// What a unit of f does; columns of m numbers.
  struct Responses {
    Eigen::MatrixXd q;      // m×3μ: q at the end of the step
    Eigen::MatrixXd v;      // m×3μ
    Eigen::MatrixXd start;  // m×3μ: v right after an impulse at the start
    Eigen::MatrixXd force;  // m×3μ: modal force over the step
  };

  void collect_exercised(const std::vector<Entry>& entries);
  void build_responses(const StepContext& step);
  void build_task(Task& task);
  void precompute(Task& first, Task& second);
  [[nodiscard]] bool can_use_precomputed() const;

  [[nodiscard]] bool needs_virtual_work(const StepContext& step) const;
  [[nodiscard]] Vec3 known_turn(const StepContext& step, const Entry& entry) const;
  [[nodiscard]] Vec3 reachable(const StepContext& step, const Entry& entry,
                               const Vec3& target) const;
  [[nodiscard]] Vec3 displacement(const StepContext& step, const Entry& entry,
                                  const Vector& q) const;
  void find_missing(const StepContext& step, const Vector& q, Task& task, bool undo_rotation) const;
  void subtract_done(const Vector& forces, Task& task) const;
  void set_end_velocities(const StepContext& step, const Vector& q, Vector& v, Vector& force);
  void correct_precomputed(const StepContext& step, Vector& q, Vector& v, Vector& force);

  // By iteration, handle_iteration.cpp.
  [[nodiscard]] const Responses& responses() const { return virtual_work_ ? turned_ : straight_; }
  void correct_iteratively(const StepContext& step, Vector& q, Vector& v, Vector& force);
  void turn_responses(const StepContext& step);
  void linearise(const StepContext& step, const Vector& q, const Task& task, Eigen::MatrixXd& A);
  void find_all_missing(const StepContext& step, const Vector& forces, Vector& q);
  [[nodiscard]] double allowed_share(const Vector& change);
  void end_rows(const StepContext& step, const Vector& q, const Vector& v, Task& task,
                Eigen::MatrixXd& A);
  void set_turned_end_velocities(const StepContext& step, const Vector& q, Vector& v,
                                 Vector& force);

  bool linear_;
  bool virtual_work_ = false;  // how the last step was made
  double body_size_ = 0;       // m
  std::vector<Exercised> exercised_;
  Responses straight_;  // forces in the points' turned frames: constant
  Responses turned_;    // forces of position handles by virtual work, at the start of the step
  Eigen::MatrixXd end_directions_;  // m×3μ: v per unit of impulse at the end
  Task first_;
  Task second_;
  Vector forces_;        // 3μ, of the last step, where they were found by iteration
  Vector end_impulses_;  // 3μ, likewise
  Vector change_;
  Vector trial_;
  Vector predicted_q_;
  Vector difference_;
  ThreeRows row_;
  Eigen::MatrixXd A1_;
  Eigen::MatrixXd A2_;
  PrioritisedDampedSolver iterative_;
};

}  // namespace limber
