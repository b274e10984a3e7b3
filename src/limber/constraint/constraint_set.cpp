#include "limber/constraint/constraint_set.h"

#include <algorithm>
#include <string>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/core/stopwatch.h"

namespace limber {

namespace {

Path standing(const Vec3& target) { return Path({0.0}, {target}); }

template <class Entries>
auto find_entry(Entries& entries, int number) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const auto& entry) { return entry.number == number; });
}

void check_target(const Vec3& target) {
  if (!target.allFinite()) {
    throw Error("the target is not finite", "handle", "give three ordinary numbers");
  }
}

}  // namespace

ConstraintSet::ConstraintSet(ModalModel body, ModalMethod method, Priority priority)
    : body_(std::move(body)), method_(method), priority_(priority) {}

int ConstraintSet::add(const Handle& handle) {
  check(body_, handle.point);
  for (const HandlePoint& point : handle.exercised) check(body_, point);
  HandleSolver::Entry entry{next_number_, handle, point_rows(body_, handle.point),
                            handle.exercised};
  if (entry.exercised.empty()) {
    entry.exercised = handle.kind == HandleKind::orientation
                          ? neighbourhood(body_, handle.point)
                          : std::vector<HandlePoint>{handle.point};
  }
  hard_.push_back(std::move(entry));
  hard_solver_.reset();
  return next_number_++;
}

int ConstraintSet::add(const SoftHandle& handle) {
  check(body_, handle.point);
  if (!(handle.stiffness > 0) || !(handle.damping >= 0)) {
    throw Error("a spring needs a stiffness above zero and no negative damping", "handle",
                "give N/m and N s/m");
  }
  soft_.push_back({next_number_, handle, point_rows(body_, handle.point)});
  soft_solver_.reset();
  return next_number_++;
}

Path& ConstraintSet::target_of(int handle) {
  if (const auto found = find_entry(hard_, handle); found != hard_.end()) {
    return found->handle.target;
  }
  if (const auto found = find_entry(soft_, handle); found != soft_.end()) {
    return found->handle.target;
  }
  throw Error("there is no handle " + std::to_string(handle), "constraints",
              "it may have been removed already");
}

void ConstraintSet::move(int handle, const Vec3& target) {
  check_target(target);
  target_of(handle) = standing(target);
}

void ConstraintSet::remove(int handle) {
  (void)target_of(handle);
  const auto has_number = [&](const auto& entry) { return entry.number == handle; };
  if (std::erase_if(hard_, has_number) > 0) hard_solver_.reset();
  if (std::erase_if(soft_, has_number) > 0) soft_solver_.reset();
}

void ConstraintSet::rebuild(const StepContext& step) {
  if (step.h != prepared_h_) {
    hard_solver_.reset();
    soft_solver_.reset();
    prepared_h_ = step.h;
  }
  if (!hard_solver_ && !hard_.empty()) {
    hard_solver_ = std::make_unique<HandleSolver>(hard_, priority_ == Priority::orientation, step);
  }
  if (!soft_solver_ && !soft_.empty()) soft_solver_ = std::make_unique<SoftHandles>(soft_, step);
}

void ConstraintSet::correct(const StepContext& step, Vector& q, Vector& v, Vector& force) {
  Stopwatch stopwatch;
  rebuild(step);
  start_q_ = step.previous_q;
  // Springs pull first, so that hard handles have the last word.
  if (soft_solver_) soft_solver_->correct(step, q, v, force);
  if (hard_solver_) hard_solver_->correct(step, q, v, force);
  seconds_ += stopwatch.lap();
}

ConstraintErrors ConstraintSet::errors(const Vector& q, double time) const {
  ConstraintErrors errors;
  for (const HandleSolver::Entry& entry : hard_) {
    const Vec3 target = entry.handle.target.at(time).value;
    const Vec3 w = entry.rows.Psi * q;
    if (entry.handle.kind == HandleKind::orientation) {
      errors.orientation = std::max(errors.orientation, (target - w).norm());
    } else if (entry.handle.kind == HandleKind::position) {
      const Mat3 R = method_ == ModalMethod::warping ? mean_rotation(w) : Mat3(Mat3::Identity());
      const Vec3 position = entry.rows.rest_position + R * (entry.rows.Phi * q);
      errors.position = std::max(errors.position, (target - position).norm());
    }
  }
  return errors;
}

std::vector<HandleForce> ConstraintSet::forces() const {
  // Forces in the points' frames at the start of the step: F = R(Ψq) f.
  const auto turned = [&](const PointRows& rows, const Vec3& force) {
    return method_ == ModalMethod::warping ? Vec3(rotation_exp(rows.Psi * start_q_) * force)
                                           : force;
  };
  const auto third = [](const Vector& values, std::size_t i) {
    return Vec3(values.segment<3>(static_cast<Eigen::Index>(3 * i)));
  };
  std::vector<HandleForce> forces;
  if (hard_solver_) {
    const Vector values = hard_solver_->forces(prepared_h_);
    const auto& points = hard_solver_->exercised();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 value = third(values, i);
      const bool turned_already = hard_solver_->in_support_frame(points[i]);
      forces.push_back({points[i].handle, points[i].point,
                        turned_already ? value : turned(points[i].rows, value)});
    }
  }
  if (soft_solver_) {
    for (std::size_t i = 0; i < soft_.size(); ++i) {
      forces.push_back({soft_[i].number, soft_[i].handle.point, third(soft_solver_->forces(), i)});
    }
  }
  return forces;
}

}  // namespace limber
