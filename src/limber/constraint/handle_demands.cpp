// What hard handles ask for: the rows of each kind, and how much is missing.
#include <algorithm>

#include "limber/constraint/handle_solver.h"
#include "limber/core/rotation.h"
#include "limber/core/row_products.h"

namespace limber {

namespace {

/// Of the body's size, a step, on top of the speed that the point has: three metres a second for a
/// body of one metre at 60 Hz.
constexpr double kLongestMove = 0.05;

}  // namespace

/// Rows of a task, and what forces do to them. Rows that do not follow the end of the step are
/// those of its start (velocities, accelerations) or of the treatment's own state.
void HandleSolver::linearise(const StepContext& step, Task& task, bool first_pass) {
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    const Handle& handle = task.handles[i]->handle;
    const auto row = static_cast<Eigen::Index>(3 * i);
    if (!first_pass && !is_exact(handle)) continue;
    auto J = task.J.middleRows<3>(row);
    const bool frozen_ahead = is_frozen(handle) && handle.treatment == Treatment::predicted;
    const HandlePose& pose = is_exact(handle) ? now_ : frozen_ahead ? predicted_ : start_;
    const ModeMatrix* response = &response_.position;
    switch (handle.kind) {
      case HandleKind::position:
        if (is_frozen(handle)) {
          ThreeRows& rows = frozen_;
          step.shape.frozen_rows(handle.point, *pose.q, rows);
          J = rows;
        } else {
          space_.place_rows(step.shape, pose, handle.point, J);
        }
        break;
      case HandleKind::orientation:
        space_.turn_rows(step.shape, pose, handle.point, J);
        break;
      case HandleKind::velocity:
      case HandleKind::acceleration:
        space_.force_rows(step.shape, start_, handle.point, J);
        response = &at_once_;
        break;
      case HandleKind::spring:
        break;  // not a hard handle
    }
    row_products(J, *response, task.A.middleRows<3>(row));
    // Velocities right after the start know impulses alone, accelerations forces alone.
    for (Eigen::Index k = 0; k < impulses_.size(); ++k) {
      const bool counts =
          fixes_end(handle) || impulses_[k] == (handle.kind == HandleKind::velocity);
      if (!counts) task.A.middleRows<3>(row).col(k).setZero();
    }
    if (detail_length_ == 0 || !dents(handle)) continue;
    set_detail_rows(step, pose, handle.point, task.detail.middleRows<3>(row));
    add_dents(step.h * step.h, task, row);
  }
}

/// task.missing: target minus what the present forces reach.
void HandleSolver::find_missing(const StepContext& step, Task& task) {
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    const HeldPoint& held = *task.handles[i];
    const auto row = static_cast<Eigen::Index>(3 * i);
    auto missing = task.missing.segment<3>(row);
    switch (held.handle.kind) {
      case HandleKind::position:
        missing = reachable(step, held) - held_place(step, held, row, task);
        if (detail_length_ > 0)
          missing -= task.detail.middleRows<3>(row)
                         .leftCols(detail_length_)
                         .lazyProduct(detail_.head(detail_length_));
        break;
      case HandleKind::orientation:
        missing = missing_turn(step, held);
        break;
      case HandleKind::velocity:
        missing = missing_velocity(step, held, row, task);
        break;
      case HandleKind::acceleration:
        missing = missing_acceleration(step, held, row, task);
        break;
      case HandleKind::spring:
        break;
    }
  }
}

/// Where the point is at the end: exactly, or along the rows of the start from the place that the
/// treatment knows.
Vec3 HandleSolver::held_place(const StepContext& step, const HeldPoint& held, Eigen::Index row,
                              const Task& task) const {
  const Handle& handle = held.handle;
  if (is_exact(handle)) return space_.place(step.shape, now_, handle.point);
  const auto J = task.J.middleRows<3>(row);
  if (is_frozen(handle)) return handle.point.sum(step.model.rest_positions()) + J * trial_end_.q;
  const HandlePose& pose = handle.treatment == Treatment::predicted ? predicted_ : start_;
  return space_.place(step.shape, pose, handle.point) + J * trial_end_.q - J * *pose.q;
}

/// A target that jumps would throw the body about: points go there in steps of kLongestMove more
/// than their own speed takes them.
Vec3 HandleSolver::reachable(const StepContext& step, const HeldPoint& held) const {
  const Vec3 target = held.handle.target.at(step.time).value;
  if (!limits_moves_) return target;
  const Vec3 now =
      space_.place(step.shape, start_, held.handle.point) + start_detail(step, held.handle.point);
  const double distance = (target - now).norm();
  const double longest = kLongestMove * body_size_ + step.h * start_speed(step, held.handle.point);
  return distance <= longest ? target : Vec3(now + (longest / distance) * (target - now));
}

double HandleSolver::start_speed(const StepContext& step, const BodyPoint& point) const {
  const Vec3 own = step.shape.velocity(point, step.start.q, step.start.v);
  if (!step.start.rigid) return own.norm();
  const RigidFrame& rigid = *step.start.rigid;
  const Vec3 arm = space_.place(step.shape, start_, point) - start_.centre;
  return (rigid.velocity() + rigid.angular_velocity().cross(arm) + start_.rotation * own).norm();
}

/// On a support as a difference of rotation vectors, so that whole turns count; free, as the turn
/// that leads to the target.
Vec3 HandleSolver::missing_turn(const StepContext& step, const HeldPoint& held) const {
  const Vec3 target = held.handle.target.at(step.time).value;
  if (space_.first_mode() == 0) return target - step.shape.turn(held.handle.point, trial_end_.q);
  return rotation_log(rotation_exp(target) *
                      space_.orientation(step.shape, now_, held.handle.point).transpose());
}

/// Hauser et al. 2003, eq. 14: right after the impulse at the start.
Vec3 HandleSolver::missing_velocity(const StepContext& step, const HeldPoint& held,
                                    Eigen::Index row, const Task& task) const {
  const Vec3 target = held.handle.target.at(step.time).value;
  Vec3 missing = target - task.J.middleRows<3>(row) * start_velocity_;
  missing -= task.A.middleRows<3>(row) * evaluated_;
  return missing;
}

/// Hauser et al. 2003, eq. 13: q̈ = f − b q̇ − λ q at the start, f read off the free end; the frame's
/// accelerations are those of the free step.
Vec3 HandleSolver::missing_acceleration(const StepContext& step, const HeldPoint& held,
                                        Eigen::Index row, const Task& task) const {
  const Vec3 target = held.handle.target.at(step.time).value;
  Vec3 missing = target - task.J.middleRows<3>(row) * acceleration_;
  missing -= task.A.middleRows<3>(row) * evaluated_;
  if (!step.start.rigid) return missing;
  // What turning adds: ω×(ω×r) + 2 ω×(R ṙ).
  const Vec3 omega = step.start.rigid->angular_velocity();
  const Vec3 arm = space_.place(step.shape, start_, held.handle.point) - start_.centre;
  const Vec3 own =
      start_.rotation * step.shape.velocity(held.handle.point, step.start.q, step.start.v);
  return missing - omega.cross(omega.cross(arm)) - 2 * omega.cross(own);
}

void HandleSolver::set_start_motion(const StepContext& step) {
  set_velocity_vector(step.start, start_velocity_);
  const StepCoefficients& k = step.coefficients;
  const ModalState& start = step.start;
  for (Eigen::Index mode = 0; mode < start.q.size(); ++mode) {
    const double lambda = step.model.eigenvalues()[mode];
    const double f =
        (free_end_.q[mode] - k.qq[mode] * start.q[mode] - k.qv[mode] * start.v[mode]) / k.qf[mode];
    const double rate = step.damping.mass + step.damping.stiffness * lambda;
    acceleration_[space_.first_mode() + mode] = f - rate * start.v[mode] - lambda * start.q[mode];
  }
  if (step.nonlinear != nullptr) {
    acceleration_.tail(start.q.size()) = step.nonlinear->start_acceleration();
  }
  if (!start.rigid) return;
  acceleration_.head<3>() = (free_end_.rigid->velocity() - start.rigid->velocity()) / step.h;
  acceleration_.segment<3>(3) =
      (free_end_.rigid->angular_velocity() - start.rigid->angular_velocity()) / step.h;
}

}  // namespace limber
