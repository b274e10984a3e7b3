#include "limber/constraint/modal_handles.h"

#include <algorithm>
#include <string>

#include "limber/constraint/held_equilibrium.h"
#include "limber/constraint/make_body.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/core/stopwatch.h"

namespace limber {

namespace {

template <class Entries>
auto find_entry(Entries& entries, int number) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const HeldPoint& held) { return held.number == number; });
}

void check_spring(const Handle& handle) {
  if (handle.stiffness > 0 && std::isfinite(handle.stiffness) && handle.damping >= 0 &&
      std::isfinite(handle.damping)) {
    return;
  }
  throw Error("a spring needs a stiffness above zero and no negative damping", "handle",
              "give N/m and N s/m");
}

}  // namespace

ModalHandles::ModalHandles(ModalModel model, Priority priority, Turns turns)
    : model_(std::move(model)), priority_(priority), turns_(turns) {}

int ModalHandles::add(const Handle& handle) {
  check_held(model_, handle.point);
  for (const BodyPoint& point : handle.exercised) check_held(model_, point);
  if (handle.kind == HandleKind::orientation && turns_ == Turns::refused) {
    throw Error("a reduced body does not know how its points have turned", "orientation handle",
                "hold three points instead, or use modal-warping or rotation-strain");
  }
  if (!handle.target.at(0).value.allFinite()) {
    throw Error("the target is not finite", "handle", "give three ordinary numbers");
  }
  HeldPoint held{next_number_, handle};
  if (handle.kind == HandleKind::spring) {
    check_spring(handle);
    springs_.push_back(std::move(held));
  } else {
    if (held.handle.exercised.empty()) {
      held.handle.exercised = handle.kind == HandleKind::orientation
                                  ? neighbourhood(model_, handle.point)
                                  : std::vector<BodyPoint>{handle.point};
    }
    hard_.push_back(std::move(held));
  }
  forget_solvers();
  return next_number_++;
}

void ModalHandles::forget_solvers() {
  layout_ = ++last_layout_;
  hard_solver_.reset();
  spring_solver_.reset();
  in_place_ = false;
  growth_ = -1;
}

Path& ModalHandles::target_of(int handle) {
  for (std::vector<HeldPoint>* entries : {&hard_, &springs_}) {
    if (const auto found = find_entry(*entries, handle); found != entries->end()) {
      return found->handle.target;
    }
  }
  throw Error("there is no handle " + std::to_string(handle), "constraints",
              "it may have been removed already");
}

void ModalHandles::move(int handle, const Vec3& target) {
  if (!target.allFinite()) {
    throw Error("the target is not finite", "handle", "give three ordinary numbers");
  }
  target_of(handle).stay_at(target);
}

void ModalHandles::remove(int handle) {
  (void)target_of(handle);
  const auto has_number = [&](const HeldPoint& held) { return held.number == handle; };
  std::erase_if(hard_, has_number);
  std::erase_if(springs_, has_number);
  forget_solvers();
  if (empty()) errors_ = {};
}

void ModalHandles::prepare(const StepContext& step) {
  if (!hard_solver_ && !hard_.empty()) {
    hard_solver_ = std::make_unique<HandleSolver>(hard_, priority_ == Priority::orientation, step);
    hard_forces_ = hard_solver_->forces();
  }
  if (!spring_solver_ && !springs_.empty()) {
    spring_solver_ = std::make_unique<SpringSolver>(springs_, step);
    spring_forces_ = spring_solver_->forces();
  }
}

void ModalHandles::correct(const StepContext& step, ModalState& end, Vector& force) {
  Stopwatch stopwatch;
  // Springs pull first, so that hard handles have the last word.
  if (spring_solver_) {
    spring_solver_->correct(step, end, force);
    spring_forces_ = spring_solver_->forces();
  }
  if (hard_solver_) {
    hard_solver_->correct(step, end, force);
    hard_forces_ = hard_solver_->forces();
  }
  // Forces beyond all numbers stop the body; there are none to be told then.
  in_place_ = hard_forces_.allFinite() && spring_forces_.allFinite();
  seconds_ += stopwatch.lap();
}

double ModalHandles::growth(const StepContext& step) {
  if (!hard_solver_) return 0;
  if (growth_ < 0 || growth_step_ != step.h) {
    growth_ = hard_solver_->growth(step);
    growth_step_ = step.h;
  }
  return growth_;
}

int ModalHandles::held_row_count() const {
  int count = 0;
  for (const HeldPoint& held : hard_) count += fixes_end(held.handle) ? 3 : 0;
  return count;
}

void ModalHandles::held_rows(ModalShape& shape, const ModalState& state,
                             Eigen::Ref<ModeMatrix> rows) const {
  if (hard_solver_) hard_solver_->held_rows(shape, state, rows);
}

void ModalHandles::held_points(std::vector<BodyPoint>& points) const {
  if (hard_solver_) hard_solver_->held_points(points);
}

void ModalHandles::dented_points(std::vector<BodyPoint>& points) const {
  for (const HeldPoint& held : hard_) {
    if (!dents(held.handle)) continue;
    points.push_back(held.handle.point);
    points.insert(points.end(), held.handle.exercised.begin(), held.handle.exercised.end());
  }
}

void ModalHandles::see(ModalShape& shape, const ModalState& state, const HeldDetail* detail,
                       double time) {
  errors_ = {};
  if (hard_.empty()) return;
  if (!space_) space_.emplace(model_.mode_count(), state.rigid.has_value());
  space_->set_pose(shape, state, false, pose_);
  for (const HeldPoint& held : hard_) {
    const Vec3 target = held.handle.target.at(time).value;
    const BodyPoint& point = held.handle.point;
    if (held.handle.kind == HandleKind::orientation) {
      const Vec3 missing = state.rigid
                               ? rotation_log(rotation_exp(target) *
                                              space_->orientation(shape, pose_, point).transpose())
                               : Vec3(target - shape.turn(point, state.q));
      errors_.orientation = std::max(errors_.orientation, missing.norm());
    } else if (held.handle.kind == HandleKind::position) {
      Vec3 place = space_->place(shape, pose_, point);
      if (detail != nullptr) place += pose_.rotation * detail->displacement(point, state.q);
      errors_.position = std::max(errors_.position, (target - place).norm());
    }
  }
}

std::vector<HandleForce> ModalHandles::forces() const {
  std::vector<HandleForce> forces;
  if (!in_place_) return forces;
  Eigen::Index row = 0;
  for (const HeldPoint& held : hard_) {
    for (const BodyPoint& point : held.handle.exercised) {
      forces.push_back({held.number, point, hard_forces_.segment<3>(row)});
      row += 3;
    }
  }
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    forces.push_back({springs_[i].number, springs_[i].handle.point,
                      spring_forces_.segment<3>(static_cast<Eigen::Index>(3 * i))});
  }
  return forces;
}

SettleStatus ModalHandles::settle(const StepContext& step, const StaticLoads& loads,
                                  const SettleOptions& options, Vector& q) {
  prepare(step);
  Vector found;
  const SettleStatus status = find_held_equilibrium(
      step.model.eigenvalues(), loads,
      {step.shape, hard_, springs_, priority_ == Priority::orientation, step.time, step.detail},
      options, q, found);
  if (hard_solver_) hard_forces_ = found;
  in_place_ = in_place_ || hard_solver_;
  return status;
}

/// Solvers stay while the handles are the same, so that restoring allocates nothing.
void ModalHandles::archive(StateArchive& state) {
  const std::uint64_t before = layout_;
  state.value(layout_);
  state.value(next_number_);
  state.each(hard_);
  state.each(springs_);
  state.value(errors_);
  state.value(in_place_);
  state.numbers(hard_forces_);
  state.numbers(spring_forces_);
  if (layout_ == before) return;
  hard_solver_.reset();
  spring_solver_.reset();
  growth_ = -1;
}

std::unique_ptr<ModalBody> make_modal_body(ModalModel model, const ModalBodyOptions& options,
                                           Loads loads, SupportMotion support,
                                           ModalHandles::Priority priority, ShapeMaker make_shape) {
  auto body = std::make_unique<ModalBody>(std::move(model), options, std::move(loads),
                                          std::move(support), std::move(make_shape));
  const auto turns =
      options.method == Method::reduced ? ModalHandles::Turns::refused : ModalHandles::Turns::held;
  body->set_correction(std::make_unique<ModalHandles>(body->model(), priority, turns));
  return body;
}

std::unique_ptr<DynamicBody> make_body(const ModalModel& model, const ModalBodyOptions& options,
                                       const Loads& loads, const SupportMotion& support) {
  return make_modal_body(model, options, loads, support);
}

}  // namespace limber
