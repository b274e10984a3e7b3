// The forces that make hard handles hold. Choi & Ko 2005, section V; Hauser et al. 2003, 3.4.1.
//
// Forces F (3μ) at the exercised points, constant over the step, act on modes and frame through
// their rows G where their momentum enters; they are found so that the handles' rows J at its end
// are met. By virtual work G = J at the same point, so that J D Gᵀ is never indefinite, and no
// handle gains energy. Where the step ends is found first, then the velocity there (SHAKE and
// RATTLE: Ryckaert et al. 1977, Andersen 1983). Under the paper's law, G = RΦ, and R~ is held while
// the end is looked for (eqs. 26-29).
//
// Bodies with detail beyond their modes (modal/held_detail.h): position handles hold modes and
// detail together, x = X + u(q) + J~y, and their forces act on both.
//
// Deviates: an impulse at the end of the step gives the handles the velocity (x' − x)/h. By eq. 19
// they have it anyway; with the exact oscillator, which the paper only mentions, a force that holds
// a position would make the velocity change sign from step to step.
#pragma once

#include <vector>

#include "limber/constraint/damped_least_squares.h"
#include "limber/constraint/force_response.h"
#include "limber/constraint/held_point.h"

namespace limber {

class HandleSolver {
 public:
  /// Allocates all memory. `handles` must outlive the solver. The first task comes before the
  /// second (Choi & Ko 2005, eq. 29): positions, or orientations where `orientation_first`.
  HandleSolver(const std::vector<HeldPoint>& handles, bool orientation_first,
               const StepContext& step);

  /// Changes the free end of the step into what the handles ask for; adds the modal force.
  void correct(const StepContext& step, ModalState& end, Vector& force);

  /// See StepCorrection.
  [[nodiscard]] double growth(const StepContext& step) const;
  [[nodiscard]] int held_row_count() const;
  void held_rows(ModalShape& shape, const ModalState& state, Eigen::Ref<ModeMatrix> rows) const;
  void held_points(std::vector<BodyPoint>& points) const;

  /// Over the last step, N, 3 a point, in the coordinates of the handles' targets.
  [[nodiscard]] const Vector& forces() const { return total_forces_; }

 private:
  /// A point where forces act: three of the unknowns.
  struct Exercised {
    int handle = 0;
    BodyPoint point;
    HandleKind kind = HandleKind::position;
  };
  /// Handles of one task.
  struct Task {
    std::vector<const HeldPoint*> handles;
    ModeMatrix J;       // k×d, at the state where the task is linearised
    ModeMatrix turns;   // k×m: the points' rows of Ψ
    ModeMatrix detail;  // k×d: J~ of what dents, else zero
    Eigen::MatrixXd A;  // k×3μ: what the forces do to what is held
    Vector missing;     // k
  };

  void resize(Task& task, const ModalShape& shape, Eigen::Index unknowns) const;
  [[nodiscard]] bool is_exact(const Handle& handle) const;
  /// R~ is held constant while the end is looked for: the paper's law.
  [[nodiscard]] bool is_frozen(const Handle& handle) const;
  [[nodiscard]] bool is_collocated() const;

  // The stages of correct().
  void set_force_rows(const StepContext& step);
  void linearise(const StepContext& step, Task& task, bool first_pass);
  void find_missing(const StepContext& step, Task& task);
  void solve_end(const StepContext& step, ModalState& end);
  void solve_linear_end(const StepContext& step);
  void solve_end_by_newton(const StepContext& step);
  /// Where the forces lead to, and what is then missing.
  void evaluate(const StepContext& step, const Vector& forces);
  void solve_tasks(Vector& unknowns);
  void solve_end_velocity(const StepContext& step, ModalState& end, Vector& force);
  [[nodiscard]] double allowed_share(const Vector& change);

  [[nodiscard]] Vec3 held_place(const StepContext& step, const HeldPoint& held, Eigen::Index row,
                                const Task& task) const;
  [[nodiscard]] Vec3 reachable(const StepContext& step, const HeldPoint& held) const;
  [[nodiscard]] Vec3 missing_turn(const StepContext& step, const HeldPoint& held) const;
  [[nodiscard]] Vec3 missing_velocity(const StepContext& step, const HeldPoint& held,
                                      Eigen::Index row, const Task& task) const;
  [[nodiscard]] Vec3 missing_acceleration(const StepContext& step, const HeldPoint& held,
                                          Eigen::Index row, const Task& task) const;
  [[nodiscard]] double start_speed(const StepContext& step, const BodyPoint& point) const;
  void set_start_motion(const StepContext& step);

  // Detail, where step.detail is not null: handle_dents.cpp.
  void resize_detail(const StepContext& step);
  void set_denting_rows(const StepContext& step, const HandlePose& pose);
  void set_detail_rows(const StepContext& step, const HandlePose& pose, const BodyPoint& point,
                       Eigen::Ref<ModeMatrix> rows) const;
  /// Adds scale · J~ J~ᵀ to what forces do to three held rows.
  void add_dents(double scale, Task& task, Eigen::Index row) const;
  void find_detail(const StepContext& step, const Vector& forces);
  void push_detail(const StepContext& step, double share, const Vector& impulses, bool move);
  [[nodiscard]] Vec3 start_detail(const StepContext& step, const BodyPoint& point) const;
  void set_velocity_vector(const ModalState& state, Vector& coordinates) const;

  HandleSpace space_;
  LoadLaw law_ = LoadLaw::work;
  double body_size_ = 0;  // m
  std::vector<Exercised> exercised_;
  Eigen::Array<bool, Eigen::Dynamic, 1> impulses_;  // 3μ: an impulse at the start, not a force
  Task first_, second_;
  bool iterates_ = false;      // some handle needs more than one linearisation
  bool limits_moves_ = false;  // targets that jump are approached in steps

  ForceResponse response_;
  ModeMatrix at_once_;  // 3μ×d: what an impulse does to velocities
  ModalState free_end_, trial_end_;
  HandlePose start_, kick_, predicted_, now_;
  Vector forces_, total_forces_, change_, trial_, end_impulses_;
  Vector evaluated_;                                       // the forces that `missing` is about
  Vector velocity_, start_velocity_, acceleration_, way_;  // d
  Eigen::Index detail_length_ = 0;                         // of this step
  ModeMatrix denting_;  // 3μ×d: J~ of the exercised points that dent, else zero
  Vector free_detail_, detail_, detail_change_;  // d: y of the free end and of the present forces
  mutable ModeMatrix detail_rows_;               // 3×d
  ThreeRows frozen_;
  PrioritisedDampedSolver solver_;
};

}  // namespace limber
