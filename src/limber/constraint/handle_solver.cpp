#include "limber/constraint/handle_solver.h"

#include <algorithm>

#include "limber/core/rotation.h"
#include "limber/core/row_products.h"

namespace limber {

namespace {

/// Newton's method stops when a step changes the forces by less than this share.
constexpr double kTolerance = 1e-13;
constexpr int kMostIterations = 40;
/// A linear system needs no more than to make up for the damping of its solution.
constexpr int kLinearIterations = 8;
/// R~ is far from linear over larger angles; steps are held to this, rad.
constexpr double kLargestTurn = 0.5;
/// A step is halved until it brings the first task closer, but not below this share.
constexpr double kSmallestShare = 1.0 / 64;

bool is_orientation(const HeldPoint& held) { return held.handle.kind == HandleKind::orientation; }

}  // namespace

HandleSolver::HandleSolver(const std::vector<HeldPoint>& handles, bool orientation_first,
                           const StepContext& step)
    : space_(step.model.mode_count(), step.start.rigid.has_value()),
      free_end_(step.start),
      trial_end_(step.start) {
  const Positions rest = step.model.rest_positions();
  body_size_ = (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
  for (const HeldPoint& held : handles) {
    Task& task = is_orientation(held) == orientation_first ? first_ : second_;
    task.handles.push_back(&held);
    for (const BodyPoint& point : held.handle.exercised) {
      exercised_.push_back({held.number, point, held.handle.kind});
    }
    iterates_ = iterates_ || is_exact(held.handle);
  }
  law_ = step.shape.law();
  limits_moves_ = space_.first_mode() > 0 || (law_ == LoadLaw::work && step.shape.turns());
  frozen_.setZero(3, step.model.mode_count());
  const auto unknowns = static_cast<Eigen::Index>(3 * exercised_.size());
  impulses_.resize(unknowns);
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    impulses_.segment<3>(static_cast<Eigen::Index>(3 * i)) =
        exercised_[i].kind == HandleKind::velocity;
  }
  resize(first_, step.shape, unknowns);
  resize(second_, step.shape, unknowns);
  response_.resize(unknowns, space_.length());
  at_once_.setZero(unknowns, space_.length());
  solver_.resize(first_.J.rows(), second_.J.rows(), unknowns);
  for (Vector* vector :
       {&forces_, &total_forces_, &change_, &trial_, &end_impulses_, &evaluated_}) {
    vector->setZero(unknowns);
  }
  for (Vector* vector : {&velocity_, &start_velocity_, &acceleration_, &way_})
    vector->setZero(space_.length());
  resize_detail(step);
}

void HandleSolver::resize(Task& task, const ModalShape& shape, Eigen::Index unknowns) const {
  const auto rows = static_cast<Eigen::Index>(3 * task.handles.size());
  const Eigen::Index modes = space_.length() - space_.first_mode();
  task.turns.setZero(rows, modes);
  ThreeRows Psi(3, modes);
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    shape.turn_rows(task.handles[i]->handle.point, Psi);
    task.turns.middleRows<3>(static_cast<Eigen::Index>(3 * i)) = Psi;
  }
  task.J.setZero(rows, space_.length());
  task.A.setZero(rows, unknowns);
  task.missing.setZero(rows);
}

/// Whether the end of the step is looked for by Newton's method. A frame that turns cannot be held
/// by one linearisation.
bool HandleSolver::is_exact(const Handle& handle) const {
  if (!fixes_end(handle)) return false;
  return space_.first_mode() > 0 ||
         (handle.kind == HandleKind::position && handle.treatment == Treatment::newton);
}

bool HandleSolver::is_frozen(const Handle& handle) const {
  return law_ == LoadLaw::rotated && !is_exact(handle);
}

void HandleSolver::correct(const StepContext& step, ModalState& end, Vector& force) {
  free_end_ = end;
  space_.set_pose(step.shape, step.start, true, start_);
  space_.set_kick_pose(step, kick_);
  space_.set_pose(step.shape, free_end_, true, predicted_);
  set_force_rows(step);
  set_denting_rows(step, kick_);
  set_start_motion(step);
  solve_end(step, end);
  const Eigen::Index modes = end.q.size();
  for (Eigen::Index i = 0; i < forces_.size(); ++i) {
    end.v += forces_[i] * response_.velocity.row(i).tail(modes).transpose();
    // What an impulse at the start does is the work of a force only in the mean.
    force += forces_[i] / (impulses_[i] ? step.h : 1) * response_.G.row(i).tail(modes).transpose();
  }
  total_forces_ = forces_;
  for (Eigen::Index i = 0; i < forces_.size(); ++i) {
    if (impulses_[i]) total_forces_[i] /= step.h;
  }
  push_detail(step, step.h, forces_, true);
  solve_end_velocity(step, end, force);
}

void HandleSolver::set_force_rows(const StepContext& step) {
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(3 * i);
    space_.force_rows(step.shape, kick_, exercised_[i].point, response_.G.middleRows<3>(first));
    respond_over_step(space_, step, first, impulses_[first], response_);
  }
  respond_at_once(space_, step.start.rigid, response_.G, at_once_);
}

void HandleSolver::solve_end(const StepContext& step, ModalState& end) {
  forces_.setZero();
  trial_end_ = free_end_;
  space_.set_pose(step.shape, trial_end_, iterates_, now_);
  if (iterates_) {
    solve_end_by_newton(step);
  } else {
    solve_linear_end(step);
  }
  end.q = trial_end_.q;
  end.rigid = trial_end_.rigid;
}

/// What the handles miss is linear in the forces: one factor, and repetition only to make up for
/// its damping.
void HandleSolver::solve_linear_end(const StepContext& step) {
  for (Task* task : {&first_, &second_}) linearise(step, *task, true);
  evaluate(step, forces_);
  solver_.factor(first_.A, second_.A);
  for (int iteration = 0; iteration < kLinearIterations; ++iteration) {
    solver_.solve(first_.missing, second_.A, second_.missing, change_);
    forces_ += change_;
    if (change_.norm() <= kTolerance * forces_.norm()) break;
    for (Task* task : {&first_, &second_}) task->missing.noalias() -= task->A * change_;
  }
  evaluate(step, forces_);
}

void HandleSolver::evaluate(const StepContext& step, const Vector& forces) {
  evaluated_ = forces;
  move_by(step, response_, forces, impulses_, free_end_, trial_end_);
  space_.set_pose(step.shape, trial_end_, iterates_, now_);
  find_detail(step, forces);
  for (Task* task : {&first_, &second_}) find_missing(step, *task);
}

void HandleSolver::solve_tasks(Vector& unknowns) {
  solver_.factor(first_.A, second_.A);
  solver_.solve(first_.missing, second_.A, second_.missing, unknowns);
}

/// Newton's method on the forces, and damped least squares where the handles ask for more than the
/// body can do.
void HandleSolver::solve_end_by_newton(const StepContext& step) {
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    for (Task* task : {&first_, &second_}) linearise(step, *task, iteration == 0);
    evaluate(step, forces_);
    solve_tasks(change_);
    const double before = first_.missing.norm();
    double share = allowed_share(change_);
    while (true) {
      trial_ = forces_ + share * change_;
      evaluate(step, trial_);
      if (first_.missing.norm() <= before * (1 + 1e-12) || share < kSmallestShare) break;
      share /= 2;
    }
    forces_ = trial_;
    if (share * change_.norm() <= kTolerance * forces_.norm()) break;
  }
}

/// How much of a change keeps every handle's turn within kLargestTurn.
double HandleSolver::allowed_share(const Vector& change) {
  way_.setZero();
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    way_ += change[i] * response_.position.row(i).transpose();
  }
  double largest = space_.first_mode() > 0 ? way_.segment<3>(3).norm() : 0;
  for (const Task* task : {&first_, &second_}) {
    for (Eigen::Index row = 0; row < task->turns.rows(); row += 3) {
      const Vec3 turn = task->turns.middleRows<3>(row) * way_.tail(task->turns.cols());
      largest = std::max(largest, turn.norm());
    }
  }
  return largest > kLargestTurn ? kLargestTurn / largest : 1.0;
}

/// Impulses at the end of the step, so that points move there as they moved on the whole of it.
void HandleSolver::solve_end_velocity(const StepContext& step, ModalState& end, Vector& force) {
  if (end.rigid) end.rigid->set_mass_motion(step.shape.mass_motion(end.q, end.v));
  space_.set_pose(step.shape, end, true, now_);
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(3 * i);
    space_.force_rows(step.shape, now_, exercised_[i].point, response_.G.middleRows<3>(first));
  }
  respond_at_once(space_, end.rigid, response_.G, at_once_);
  set_denting_rows(step, now_);
  set_velocity_vector(end, velocity_);
  for (Task* task : {&first_, &second_}) {
    for (std::size_t i = 0; i < task->handles.size(); ++i) {
      const HeldPoint& held = *task->handles[i];
      const BodyPoint& point = held.handle.point;
      const auto row = static_cast<Eigen::Index>(3 * i);
      auto J = task->J.middleRows<3>(row);
      auto missing = task->missing.segment<3>(row);
      if (is_frozen(held.handle) && held.handle.kind == HandleKind::position) {
        missing = (J * end.q - J * step.start.q) / step.h - J * end.v;  // what eq. 19 gives
      } else if (held.handle.kind == HandleKind::position) {
        space_.place_rows(step.shape, now_, point, J);
        const Vec3 way =
            space_.place(step.shape, now_, point) - space_.place(step.shape, start_, point);
        missing = way / step.h - J * velocity_;
      } else if (held.handle.kind == HandleKind::orientation) {
        space_.turn_rows(step.shape, now_, point, J);
        const Vec3 turn =
            space_.first_mode() > 0
                ? rotation_log(space_.orientation(step.shape, now_, point) *
                               space_.orientation(step.shape, start_, point).transpose())
                : Vec3(step.shape.turn(point, end.q) - step.shape.turn(point, step.start.q));
        missing = turn / step.h - J * velocity_;
      } else {
        J.setZero();
        missing.setZero();
      }
      row_products(J, at_once_, task->A.middleRows<3>(row));
      // Detail has the velocity of its way already, and takes its share of the impulse.
      if (detail_length_ > 0 && dents(held.handle)) {
        set_detail_rows(step, now_, point, task->detail.middleRows<3>(row));
        add_dents(1, *task, row);
      }
    }
  }
  solve_tasks(end_impulses_);
  push_detail(step, 1, end_impulses_, false);
  const Eigen::Index modes = end.q.size();
  Vec3 push = Vec3::Zero();
  Vec3 turning = Vec3::Zero();
  for (Eigen::Index i = 0; i < end_impulses_.size(); ++i) {
    const double p = end_impulses_[i];
    end.v += p * response_.G.row(i).tail(modes).transpose();
    force += p / step.h * response_.G.row(i).tail(modes).transpose();
    total_forces_[i] += p / step.h;
    if (!end.rigid) continue;
    push += p * response_.G.row(i).head<3>().transpose();
    turning += p * response_.G.row(i).segment<3>(3).transpose();
  }
  if (end.rigid) end.rigid->push(push, turning);
}

void HandleSolver::set_velocity_vector(const ModalState& state, Vector& coordinates) const {
  coordinates.tail(state.v.size()) = state.v;
  if (!state.rigid) return;
  coordinates.head<3>() = state.rigid->velocity();
  coordinates.segment<3>(3) = state.rigid->angular_velocity();
}

int HandleSolver::held_row_count() const {
  int count = 0;
  for (const Task* task : {&first_, &second_}) {
    for (const HeldPoint* held : task->handles) count += fixes_end(held->handle) ? 3 : 0;
  }
  return count;
}

void HandleSolver::held_rows(ModalShape& shape, const ModalState& state,
                             Eigen::Ref<ModeMatrix> rows) const {
  HandlePose pose;
  space_.set_pose(shape, state, true, pose);
  Eigen::Index row = 0;
  for (const Task* task : {&first_, &second_}) {
    for (const HeldPoint* held : task->handles) {
      if (!fixes_end(held->handle)) continue;
      if (is_orientation(*held)) {
        space_.turn_rows(shape, pose, held->handle.point, rows.middleRows<3>(row));
      } else {
        space_.place_rows(shape, pose, held->handle.point, rows.middleRows<3>(row));
      }
      row += 3;
    }
  }
}

void HandleSolver::held_points(std::vector<BodyPoint>& points) const {
  for (const Task* task : {&first_, &second_}) {
    for (const HeldPoint* held : task->handles) {
      if (!fixes_end(held->handle)) continue;
      points.push_back(held->handle.point);
      if (!dents(held->handle)) points.back().weights = {};
    }
  }
}

}  // namespace limber
