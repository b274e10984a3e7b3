#include "limber/dynamics/full_space/full_body.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/full_space/statics.h"

namespace limber {

FullBody::FullBody(TetMesh mesh, Materials materials, const std::vector<int>& fixed_nodes,
                   const FullBodyOptions& options, Loads loads, SupportMotion support)
    : system_(std::move(mesh), std::move(materials), fixed_nodes, options, std::move(support)),
      trial_(system_.mesh),
      guard_(system_.mesh),
      linear_(system_),
      implicit_(system_, linear_),
      explicit_(system_),
      handles_(system_, now_),
      rows_(system_, linear_),
      change_(Positions::Zero(node_count(), 3)),
      arms_(change_) {
  now_.x = system_.mesh.mesh().V;
  now_.v = change_;
  now_.frame = system_.support.at(0);
  if (system_.free_body) {
    for (int node = 0; node < node_count(); ++node) {
      const Vec3 arm = now_.frame.rotation * now_.x.row(node).transpose();
      const Vec3 velocity = now_.frame.velocity + now_.frame.angular_velocity.cross(arm);
      now_.v.row(node) = (now_.frame.rotation.transpose() * velocity).transpose();
    }
    const FrameState start = now_.frame;
    now_.frame = {};
    now_.frame.position = start.position;
    now_.frame.rotation = start.rotation;
  }
  forget_history();
  set_loads(std::move(loads));
}

Fault FullBody::predict(double h, StepKind) noexcept {
  predicted_ = false;
  response_ready_ = false;
  pushed_ = false;
  if (!(h >= kShortestPart && h <= kLongestStep)) return {Fault::Kind::bad_step, h};
  const bool implicitly = system_.options.integrator == TimeIntegrator::implicit_euler;
  if (const Fault fault = implicitly ? linear_.prepare(h) : explicit_.prepare(h)) return fault;
  if (const Fault fault = begin_step(h)) return fault;
  if (const Fault fault = implicitly ? implicit_.solve(now_, trial_, guard_)
                                     : explicit_.solve(now_, trial_, guard_)) {
    return fault;
  }
  const Fault fault = guard_.check(trial_.x, trial_.v, h, *system_.elasticity);
  predicted_ = !fault;
  return fault;
}

Fault FullBody::begin_step(double h) {
  const TimeSpan span{now_.time, now_.time + h};
  trial_.span = span;
  trial_.h = h;
  trial_.status = {};
  trial_.remainder.setZero();
  trial_.frame = system_.free_body ? now_.frame : system_.support.at(span.t1);
  if (!guard_.knows_energy()) {
    const double energy = kinetic_energy() + elastic_energy();
    if (const Fault fault = overflow_of(energy)) return fault;
    guard_.set_energy(energy);
  }
  guard_.begin();
  trial_.before_v = now_.v;
  guard_.add_work(kick_by_support(system_, span, true, now_.x, trial_.before_v));
  handles_.begin_step(span.t1, h, trial_.before_v);
  const FrameState middle = system_.free_body ? now_.frame : system_.support.at(span.middle());
  find_outer_forces(system_, span, middle, now_.x, trial_.forces, trial_.outer);
  trial_.start_v = trial_.before_v;
  const Vec3 spin = middle.rotation.transpose() * middle.angular_velocity;
  if (!spin.isZero(0)) {
    // v̇ = −2 ω×v alone turns velocities: stable for any h, where adding it as a force is not.
    trial_.start_v.noalias() = trial_.before_v * rotation_exp(-2 * h * spin).transpose();
  }
  if (system_.ground) system_.ground->begin_step(now_.frame, trial_.frame);
  return {};
}

Fault FullBody::commit() noexcept {
  if (!predicted_) return {Fault::Kind::bad_step, 0};
  predicted_ = false;
  if (pushed_) {
    if (const Fault fault = guard_.check(trial_.x, trial_.v, trial_.h, *system_.elasticity)) {
      return fault;
    }
  }
  const NodeMotion motion{now_.x, trial_.x, trial_.v, trial_.h};
  system_.springs.keep_forces(motion);
  if (system_.ground) {
    ground_force_ = trial_.frame.rotation * system_.ground->force(motion);
    system_.ground->end_step(motion, trial_.frame);
  }
  if (system_.core) finish_core();
  now_.x = trial_.x;
  now_.v = trial_.v;
  if (system_.core) system_.core->set_place(now_.x);
  guard_.add_work(kick_by_support(system_, trial_.span, false, now_.x, now_.v));
  now_.last_v = pushed_ ? now_.v : trial_.before_v;  // what was pushed does not go on as it did
  now_.remainder = trial_.remainder;
  now_.frame = trial_.frame;
  now_.time = trial_.span.t1;
  handles_.end_step();
  guard_.keep();
  status_ = trial_.status;
  return {};
}

/// Whatever the masses couple, the momenta of a free body stay.
void FullBody::finish_core() {
  const bool keeps = system_.free_body && system_.options.keep_momentum;
  const Momentum before = keeps ? system_.keeper.momentum(trial_.x, trial_.v) : Momentum{};
  system_.core->finish_step(trial_.h, trial_.x, trial_.v);
  if (keeps) system_.keeper.set_momentum(before, trial_.x, trial_.v);
}

void FullBody::set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                        std::ptrdiff_t stride) noexcept {
  row_h_ = h;
  response_ready_ = false;
  if (!rows.empty()) {
    if (linear_.prepare(h)) {  // the step will say so; until then nothing pushes it
      rows_.set({}, latest_frame(), latest_x());
      for (std::size_t i = 0; i < rows.size(); ++i, scaled += stride)
        std::fill_n(scaled, rows.size(), 0.0F);
      return;
    }
    system_.elasticity->linearise(latest_x());
  }
  rows_.set(rows, latest_frame(), latest_x());
  rows_.write(scaled, stride);
}

void FullBody::scaled_motion(float* velocity, float* displacement) const noexcept {
  rows_.write_velocity(latest_frame(), latest_x(), latest_v(), velocity);
  rows_.write_displacement(latest_frame(), latest_x(), displacement);
}

/// As the step was solved with; nonlinear elasticity answers from where the step ends.
void FullBody::assemble_response() {
  if (response_ready_) return;
  response_ready_ = true;
  const bool nonlinear = system_.elasticity->nonlinear();
  system_.elasticity->linearise(nonlinear ? latest_x() : now_.x);
  linear_.assemble(nonlinear ? Tangent::safe : linear_.held_tangent());
}

void FullBody::apply(std::span<const double> impulses, bool move,
                     std::span<const Vec3> carried) noexcept {
  if (rows_.count() == 0 || linear_.prepare(row_h_)) return;
  assemble_response();
  Positions& x = predicted_ ? trial_.x : now_.x;
  Positions& v = predicted_ ? trial_.v : now_.v;
  // Angular momentum is about where the nodes will be: Σ (x + h Δv)×M(v + Δv) is what it was and
  // Σ (x − h v)×MΔv.
  arms_ = x;
  if (move) arms_ -= row_h_ * v;
  guard_.add_work(rows_.respond(impulses, carried, arms_, v, change_));
  trial_.status.passes += rows_.iterations();
  v += change_;
  if (move) x += row_h_ * change_;
  pushed_ = true;
  if (!predicted_) forget_history();
}

SettleStatus FullBody::settle(const SettleOptions& options) {
  if (system_.core) {
    throw Error("a core that moves by itself has no equilibrium here", "full-resolution body",
                "simulate it until it rests, or move the core by its support");
  }
  predicted_ = false;
  handles_.begin_step(now_.time, 0, now_.v);
  Statics statics(system_, now_, options);
  const SettleStatus status = statics.find_rest();
  linear_.forget_step();
  explicit_.forget();
  const double stretch = guard_.stretch(statics.x());
  if (status.converged) {
    if (const Fault fault = Guard::fault_of_stretch(stretch)) {
      throw error_of(fault, time_text(now_.time));
    }
  }
  now_.frame = statics.frame();
  now_.x = statics.x();
  now_.v.setZero();
  forget_history();
  return status;
}

void FullBody::forget_history() {
  if (system_.core) {
    system_.core->set_place(now_.x);
    system_.core->make_rigid(now_.v);
  }
  now_.last_v = now_.v;
  now_.remainder.setZero(3 * system_.mesh.free_count());
  guard_.forget();
}

void FullBody::archive(StateArchive& state) {
  predicted_ = false;
  response_ready_ = false;
  now_.archive(state);
  if (system_.core) system_.core->set_place(now_.x);
  state.value(ground_force_);
  guard_.archive(state);
  handles_.archive(state);
  system_.springs.archive(state);
  if (system_.ground) system_.ground->archive(state);
  rows_.archive(state);
  linear_.archive(state);  // making its factors linearises the elasticity
  system_.elasticity->archive(state);
  state.value(status_.converged);
  state.value(status_.newton_iterations);
  state.value(status_.solver_iterations);
  state.value(status_.residual);
}

}  // namespace limber
