#include "limber/dynamics/modal/modal_body.h"

#include <algorithm>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/constrained_equilibrium.h"
#include "limber/dynamics/modal/equilibrium.h"

namespace limber {

ModalBody::ModalBody(ModalModel body, const ModalBodyOptions& options, Loads loads,
                     SupportMotion support)
    : body_(std::move(body)), options_(options), support_(std::move(support)) {
  if (body_.mode_count() == 0) throw Error("the body has no modes", "body", "bake it with some");
  const Vector zero = Vector::Zero(body_.mode_count());
  for (Vector* vector : {&q_, &v_, &f_, &constraint_f_, &external_f_, &middle_q_, &middle_v_,
                         &previous_q_, &previous_v_, &scratch_}) {
    *vector = zero;
  }
  force_ = make_modal_force(body_, options_.method, options_.fast);
  frame_ = support_.at(0);
  if (body_.rigid_modes == 6) rigid_.emplace(body_, frame_);
  if (is_free() || support_.turns() || options_.coriolis) force_->prepare_turning();
  set_loads(std::move(loads));
}

void ModalBody::set_loads(Loads loads) {
  check(loads, body_.node_count());
  loads_ = std::move(loads);
  force_->set_groups(loads_.forces);
  f_known_ = false;
}

void ModalBody::set_support(SupportMotion support) {
  if (is_free()) return;
  support_ = std::move(support);
  if (support_.turns()) force_->prepare_turning();
  frame_ = support_.at(time_);
}

void ModalBody::set_damping(const Damping& damping) {
  options_.damping = damping;
  h_ = kNoStep;
}

void ModalBody::set_state(const Vector& q, const Vector& v) {
  if (q.size() != body_.mode_count() || v.size() != body_.mode_count()) {
    throw Error("the state has " + std::to_string(q.size()) + " and " + std::to_string(v.size()) +
                    " numbers",
                "modal state", "give one number for each of the body's modes");
  }
  q_ = q;
  v_ = v;
  f_known_ = false;
}

void ModalBody::set_modal_force(const Vector& force) {
  if (force.size() != body_.mode_count()) {
    throw Error("the force has " + std::to_string(force.size()) + " numbers", "modal force",
                "give one number for each of the body's modes");
  }
  external_f_ = force;
}

void ModalBody::set_correction(std::shared_ptr<StepCorrection> correction) {
  correction_ = std::move(correction);
  constraint_f_.setZero();
}

void ModalBody::step(double h) {
  prepare(h);
  const TimeSpan span{time_, time_ + h};
  kick_by_support(span, true);
  previous_q_ = q_;
  previous_v_ = v_;
  move_frame_to_middle(span);
  const SampledLoads loads = find_modal_force(span);
  advance(coefficients_, q_.data(), v_.data(), f_.data());
  correct(span);
  kick_by_support(span, false);
  move_frame_to_end(span, loads);
  time_ = span.t1;
}

void ModalBody::prepare(double h) {
  if (h == h_) return;
  set_step_coefficients(coefficients_, body_.eigenvalues(), options_.damping, h,
                        options_.integrator);
  set_step_coefficients(half_, body_.eigenvalues(), options_.damping, h / 2, options_.integrator);
  h_ = h;
}

/// A support whose velocity jumps inside the step gives the modes an impulse. Its effect lies
/// between that of an impulse at the start and one at the end of the step, in proportion to its
/// place; exact for jumps at either end, of second order between.
void ModalBody::kick_by_support(const TimeSpan& span, bool at_start) {
  if (is_free()) return;
  for (const VelocityJump& jump : support_.jumps_in(span.t0, span.t1)) {
    const double place = (jump.time - span.t0) / (span.t1 - span.t0);
    const Mat3 to_frame = support_.at(jump.time).rotation.transpose();
    AccelerationField impulse;  // per unit mass: −Δv − Δω×x
    impulse.uniform = to_frame * -jump.velocity;
    impulse.gradient = skew(to_frame * jump.angular_velocity);
    scratch_.setZero();
    force_->add_field(impulse, q_, v_, scratch_);
    v_ += (at_start ? 1 - place : place) * scratch_;
  }
}

void ModalBody::move_frame_to_middle(const TimeSpan& span) {
  if (is_free()) {
    rigid_->drift((span.t1 - span.t0) / 2);
  } else {
    frame_ = support_.at(span.middle());
  }
}

/// Forces that depend on velocities are those of implicit midpoint, found by iteration: explicit,
/// a spinning support would feed energy into the modes. The iteration shrinks errors by the angle
/// that the support turns in a step.
ModalBody::SampledLoads ModalBody::find_modal_force(const TimeSpan& span) {
  constexpr int kMostPasses = 16;
  constexpr double kTolerance = 1e-8;  // of the velocities; far below the method's own error
  predict_middle();
  const SampledLoads loads = sample_loads(span, middle_q_);
  const bool velocities_matter = options_.coriolis || !loads.field.spin.isZero(0);
  const bool once = !velocities_matter || options_.integrator == Integrator::semi_implicit;
  if (!f_known_) {
    evaluate(loads, middle_q_, middle_v_, *force_, f_);
    f_known_ = true;
    predict_middle();
  }
  for (int pass = 0; pass < kMostPasses; ++pass) {
    scratch_ = f_;
    evaluate(loads, middle_q_, middle_v_, *force_, f_);
    if (once) break;
    const double change = (f_ - scratch_).cwiseProduct(coefficients_.vf).cwiseAbs().maxCoeff();
    if (change <= kTolerance * middle_v_.cwiseAbs().maxCoeff()) break;
    predict_middle();
  }
  return loads;
}

void ModalBody::predict_middle() {
  middle_q_ = q_;
  middle_v_ = v_;
  if (options_.integrator == Integrator::semi_implicit || !f_known_) return;
  scratch_ = f_ + constraint_f_;
  advance(half_, middle_q_.data(), middle_v_.data(), scratch_.data());
}

ModalBody::SampledLoads ModalBody::sample_loads(const TimeSpan& span, const Vector& q) const {
  SampledLoads loads;
  loads.span = span;
  loads.gravity = gravity_over(loads_, span);
  if (is_free()) {
    loads.to_frame = rigid_->rotation().transpose();
    loads.wrench = sample_wrench(span, q);
    loads.field = rigid_->field(loads.wrench);
  } else {
    loads.to_frame = frame_.rotation.transpose();
    loads.field = inertial_field(frame_, loads.gravity);
  }
  return loads;
}

RigidFrame::Wrench ModalBody::sample_wrench(const TimeSpan& span, const Vector& q) const {
  RigidFrame::Wrench wrench;
  const FrameState frame = rigid_->state(Vec3::Zero(), {});
  for (const NodeForce& load : loads_.forces) {
    const Vec3 force = share(load.from, load.to, span) * load.force;
    if (force.isZero(0)) continue;
    for (const int node : load.nodes) {
      const Vec3 x = body_.rest_positions().row(node).transpose() +
                     node_displacement(body_, options_.method, node, q);
      wrench.force += force;
      wrench.torque += (frame.to_world(x) - rigid_->mass_centre()).cross(force);
    }
  }
  return wrench;
}

void ModalBody::evaluate(const SampledLoads& loads, const Vector& q, const Vector& v,
                         ModalForce& force, Vector& f) const {
  f = external_f_;
  force.add_field(loads.field, q, v, f);
  for (std::size_t k = 0; k < loads_.forces.size(); ++k) {
    const NodeForce& load = loads_.forces[k];
    const double part = share(load.from, load.to, loads.span);
    if (part == 0) continue;
    force.add_nodal(static_cast<int>(k), loads.to_frame * (part * load.force), q, f);
  }
  if (options_.coriolis) force.add_local_coriolis(q, v, f);
}

void ModalBody::correct(const TimeSpan& span) {
  if (!correction_) return;
  constraint_f_.setZero();
  const StepContext context{body_, options_.method, options_.damping, coefficients_,
                            h_,    span.t1,         previous_q_,      previous_v_};
  correction_->correct(context, q_, v_, constraint_f_);
}

void ModalBody::move_frame_to_end(const TimeSpan& span, const SampledLoads& loads) {
  const double h = span.t1 - span.t0;
  if (is_free()) {
    rigid_->kick(h, loads.gravity, loads.wrench);
    rigid_->drift(h / 2);
    frame_ = rigid_->state(loads.gravity, loads.wrench);
  } else {
    frame_ = support_.at(span.t1);
  }
}

/// Always with the exact sum over nodes: cubature's floats would keep Newton from converging.
SettleStatus ModalBody::settle(const SettleOptions& options) {
  if (!is_free()) frame_ = support_.at(time_);
  const std::unique_ptr<ModalForce> force = make_modal_force(body_, options_.method);
  force->prepare_turning();
  force->set_groups(loads_.forces);
  const Vector zero = Vector::Zero(body_.mode_count());
  const SampledLoads loads = sample_loads({time_, time_}, zero);
  StaticLoads statics;
  statics.largest_rotation = [&](const Vector& q) { return largest_rotation(q); };
  statics.evaluate = [&](const Vector& q, Vector& f, Eigen::MatrixXd* df) {
    evaluate(loads, q, zero, *force, f);
    if (df == nullptr) return;
    force->add_field_jacobian(loads.field, q, *df);
    for (std::size_t k = 0; k < loads_.forces.size(); ++k) {
      const NodeForce& load = loads_.forces[k];
      const double part = share(load.from, load.to, loads.span);
      if (part == 0) continue;
      force->add_nodal_jacobian(static_cast<int>(k), loads.to_frame * (part * load.force), q, *df);
    }
  };
  SettleStatus status;
  if (correction_ && correction_->active()) {
    const StepContext context{body_, options_.method, options_.damping, coefficients_,
                              h_,    time_,           previous_q_,      previous_v_};
    status = find_constrained_equilibrium(context, statics, options, *correction_, q_);
  } else {
    status = find_equilibrium(body_.eigenvalues(), statics, options, q_);
  }
  v_ = zero;
  f_known_ = false;
  return status;
}

double ModalBody::largest_rotation(const Vector& q) const {
  if (options_.method == ModalMethod::linear) return 0;
  double largest = 0;
  for (int i = 0; i < body_.node_count(); ++i) {
    largest = std::max(largest, (node_Psi(body_, i) * q).norm());
  }
  return largest;
}

void ModalBody::node_positions(Eigen::Ref<Positions> positions) const {
  deformed_positions(body_, options_.method, q_, positions);
  for (int i = 0; i < body_.node_count(); ++i) {
    const Vec3 x = positions.row(i);
    positions.row(i) = frame_.to_world(x);
  }
}

void ModalBody::node_velocities(Eigen::Ref<Positions> velocities) const {
  deformed_velocities(body_, options_.method, q_, v_, velocities);
  for (int i = 0; i < body_.node_count(); ++i) {
    const Vec3 x = body_.rest_positions().row(i).transpose() +
                   node_displacement(body_, options_.method, i, q_);
    const Vec3 relative = velocities.row(i);
    velocities.row(i) = frame_.velocity + frame_.angular_velocity.cross(frame_.rotation * x) +
                        frame_.rotation * relative;
  }
}

double ModalBody::kinetic_energy() const {
  return v_.squaredNorm() / 2 + (is_free() ? rigid_->kinetic_energy() : 0);
}

double ModalBody::elastic_energy() const { return q_.cwiseAbs2().dot(body_.eigenvalues()) / 2; }

std::span<const double> ModalBody::modal() const {
  return {q_.data(), static_cast<std::size_t>(q_.size())};
}

}  // namespace limber
