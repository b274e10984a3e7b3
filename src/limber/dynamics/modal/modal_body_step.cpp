// One step of a modal body, stage by stage.
#include <algorithm>
#include <cmath>

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/modal_body.h"

namespace limber {

Fault ModalBody::predict(double h, StepKind kind) noexcept {
  if (!(h >= kShortestPart && h <= kLongestStep)) return {Fault::Kind::bad_step, h};
  prepare(h, kind);
  if (kind == StepKind::flight) end_touching();
  const TimeSpan span{time_, time_ + h};
  predicted_ = false;
  if (interval_.runs() && !(kind == StepKind::flight && interval_.takes(h) && may_hold_force()))
    break_interval();
  next_ = present_;
  next_time_ = span.t1;
  kick_by_support(span, true);
  if (correction_) start_ = next_;
  if (!interval_.runs() && kind == StepKind::flight && interval_.steps() > 1 && may_hold_force())
    begin_interval(span);
  move_frame_to_middle(span);
  const SampledLoads loads = interval_.runs() ? held_modal_force(span) : find_modal_force(span);
  if (nonlinear_) {
    if (!correction_ || correction_->empty()) constraint_f_.setZero();
    scratch_ = f_ + constraint_f_;
    status_ =
        nonlinear_->advance(h, kind, options_.damping, scratch_, constraint_f_, next_.q, next_.v);
  } else {
    advance(coefficients_, next_.q.data(), next_.v.data(), f_.data());
  }
  move_frame_to_end(loads);
  const bool overflows = nonlinear_ && !std::isfinite(status_.residual);
  const Fault fault = overflows ? Fault{Fault::Kind::overflow} : correct(span);
  if (!fault) {
    finish(span, loads);
    return {};
  }
  forget_history();
  if (!is_free()) frame_ = support_.at(time_);
  return fault;
}

Fault ModalBody::commit() noexcept {
  if (!predicted_) return {};
  const Fault fault = guard();
  predicted_ = false;
  if (fault) {
    forget_history();
    frame_ = is_free() ? present_.rigid->state(Vec3::Zero(), {}) : support_.at(time_);
    return fault;
  }
  kick_by_support({time_, next_time_}, false);
  std::swap(present_.q, next_.q);
  std::swap(present_.v, next_.v);
  std::swap(present_.rigid, next_.rigid);
  interval_.pass();
  interval_.fade(next_time_ - time_);
  time_ = next_time_;
  if (!is_free()) frame_ = support_.at(time_);
  if (correction_) correction_->see(*shape_, present_, held_detail_, time_);
  return {};
}

/// Contacts push modes by vf/h, which for the exact oscillator changes sign at ωh = π: modes
/// faster than ωh = 1 go by eq. 19 while the body touches something. Both keep rest as it is.
void ModalBody::prepare(double h, StepKind kind) {
  if (h == h_ && kind == kind_) return;
  const auto lambda = model_.eigenvalues();
  const auto set_for = [&](StepCoefficients& coefficients, double step) {
    set_step_coefficients(coefficients, lambda, options_.damping, step, options_.integrator,
                          options_.theta);
  };
  set_for(coefficients_, h);
  set_for(half_, h / 2);
  const bool filter = options_.integrator == Integrator::filter;
  if (filter) set_filter_taps(filter_taps_, coefficients_, lambda, h);
  if (kind == StepKind::touching && (filter || options_.integrator == Integrator::exact)) {
    set_step_coefficients(semi_implicit_, lambda, options_.damping, h, Integrator::semi_implicit);
    for (Eigen::Index k = 0; k < lambda.size(); ++k) {
      if (lambda[k] * h * h <= 1) continue;
      coefficients_.qq[k] = semi_implicit_.qq[k];
      coefficients_.qv[k] = semi_implicit_.qv[k];
      coefficients_.qf[k] = semi_implicit_.qf[k];
      coefficients_.vq[k] = semi_implicit_.vq[k];
      coefficients_.vv[k] = semi_implicit_.vv[k];
      coefficients_.vf[k] = semi_implicit_.vf[k];
    }
  }
  h_ = h;
  kind_ = kind;
  hold_still();
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
    shape_->add_field(impulse, next_.q, next_.v, scratch_);
    next_.v += (at_start ? 1 - place : place) * scratch_;
  }
}

void ModalBody::move_frame_to_middle(const TimeSpan& span) {
  if (!is_free()) {
    frame_ = support_.at(span.middle());
  } else if (kind_ == StepKind::flight) {
    next_.rigid->drift((span.t1 - span.t0) / 2);
  }
}

/// The force is that of the middle which it leads to itself, found by iteration: the step is then
/// the same forwards and backwards in time, and energy neither grows nor fades over the years.
/// Where forces depend on velocities the iteration shrinks errors by the angle that the support
/// turns in a step, else by its square.
ModalBody::SampledLoads ModalBody::find_modal_force(const TimeSpan& span) {
  if (kind_ == StepKind::touching) return take_modal_force(span);
  predict_middle();
  if (is_free()) {
    next_.rigid->set_mass_motion(shape_mass_motion(middle_q_, middle_v_));
  }
  const SampledLoads loads = sample_loads(span, middle_q_);
  const bool velocities_matter = options_.coriolis || !loads.field.spin.isZero(0);
  const int most_passes = over_interval_ ? 4 : velocities_matter ? 16 : 3;
  // Of the velocities; sums in float go no further.
  const double tolerance = options_.fast ? 1e-6 : velocities_matter ? 1e-8 : 1e-7;
  if (!f_known_) {
    evaluate(loads, middle_q_, middle_v_, *shape_, f_);
    fade_.add_hold(model_.eigenvalues(), present_.q, f_);
    f_known_ = true;
    predict_middle();
  }
  for (int pass = 0; pass < most_passes; ++pass) {
    scratch_ = f_;
    evaluate(loads, middle_q_, middle_v_, *shape_, f_);
    fade_.add_hold(model_.eigenvalues(), present_.q, f_);
    if (takes_force_at_start()) {
      if (options_.integrator == Integrator::filter) {
        next_.v += filter_taps_.cwiseProduct(f_ - scratch_);
      }
      break;
    }
    const double change = (f_ - scratch_).cwiseProduct(coefficients_.vf).cwiseAbs().maxCoeff();
    if (change <= tolerance * middle_v_.cwiseAbs().maxCoeff()) break;
    predict_middle();
  }
  return loads;
}

/// While the body touches something impulses follow that balance the force: it is that of the
/// start, so that a body at rest stays there.
ModalBody::SampledLoads ModalBody::take_modal_force(const TimeSpan& span) {
  // What a frame that turns slowly does changes little within a step's few substeps.
  constexpr double kSlow = 0.03;  // rad a substep
  if (f_held_) {
    SampledLoads loads;
    loads.span = span;
    loads.gravity = gravity_over(loads_, span);
    return loads;
  }
  const SampledLoads loads = sample_loads(span, next_.q);
  evaluate(loads, next_.q, next_.v, *shape_, f_);
  fade_.add_hold(model_.eigenvalues(), present_.q, f_);
  f_known_ = true;
  f_held_ = frozen_ && loads_.forces.empty() && !options_.coriolis &&
            h_ * loads.field.spin.norm() < kSlow;
  return loads;
}

bool ModalBody::takes_force_at_start() const {
  return options_.integrator == Integrator::semi_implicit ||
         options_.integrator == Integrator::filter;
}

void ModalBody::predict_middle() {
  middle_q_ = next_.q;
  middle_v_ = next_.v;
  if (over_interval_) return find_mean_state();
  if (nonlinear_) {
    middle_q_ += h_ / 2 * middle_v_;
    return;
  }
  if (takes_force_at_start() || !f_known_) return;
  scratch_ = f_ + constraint_f_;
  advance(half_, middle_q_.data(), middle_v_.data(), scratch_.data());
}

ModalBody::SampledLoads ModalBody::sample_loads(const TimeSpan& span, const Vector& q) const {
  SampledLoads loads;
  loads.span = span;
  loads.gravity = gravity_over(loads_, span);
  if (is_free()) {
    loads.to_frame = next_.rigid->rotation().transpose();
    loads.wrench = sample_wrench(span, q);
    loads.field = next_.rigid->field(loads.wrench);
  } else {
    loads.to_frame = frame_.rotation.transpose();
    loads.field = inertial_field(frame_, loads.gravity);
  }
  return loads;
}

RigidFrame::Wrench ModalBody::sample_wrench(const TimeSpan& span, const Vector& q) const {
  RigidFrame::Wrench wrench;
  const FrameState frame = next_.rigid->state(Vec3::Zero(), {});
  for (const NodeForce& load : loads_.forces) {
    const Vec3 force = share(load.from, load.to, span) * load.force;
    if (force.isZero(0)) continue;
    for (const int node : load.nodes) {
      const Vec3 x = shape_->position(BodyPoint::at_node(node), q);
      wrench.force += force;
      wrench.torque += (frame.to_world(x) - next_.rigid->mass_centre()).cross(force);
    }
  }
  return wrench;
}

void ModalBody::evaluate(const SampledLoads& loads, const Vector& q, const Vector& v,
                         ModalShape& shape, Vector& f) const {
  f.setZero();
  shape.add_field(loads.field, q, v, f);
  for (std::size_t k = 0; k < loads_.forces.size(); ++k) {
    const NodeForce& load = loads_.forces[k];
    const double part = share(load.from, load.to, loads.span);
    if (part == 0) continue;
    shape.add_nodal(static_cast<int>(k), loads.to_frame * (part * load.force), q, f);
  }
  if (options_.coriolis) shape.add_local_coriolis(q, v, f);
}

void ModalBody::move_frame_to_end(const SampledLoads& loads) {
  if (!is_free()) return;
  next_.rigid->kick(h_, loads.gravity, loads.wrench);
  next_.rigid->set_mass_motion(interval_.runs() ? interval_.next_mass_motion()
                               : frozen_        ? tangent_.at(next_.q, next_.v)
                                                : shape_mass_motion(next_.q, next_.v));
  if (correction_) before_drift_ = next_.rigid;
  drift_ = kind_ == StepKind::flight ? h_ / 2 : h_;
  next_.rigid->drift_to(drift_);
}

StepContext ModalBody::context(double time) const {
  return {model_,
          *shape_,
          options_.damping,
          coefficients_,
          h_,
          time,
          start_,
          before_drift_ ? &*before_drift_ : nullptr,
          drift_,
          nonlinear_.get(),
          held_detail_};
}

Fault ModalBody::correct(const TimeSpan& span) {
  constexpr double kGrowth = 1 + 1e-6;  // a step; beyond rounding of what should be one
  constraint_f_.setZero();
  if (!correction_ || correction_->empty()) return {};
  const StepContext step = context(span.t1);
  correction_->prepare(step);
  if (const double growth = correction_->growth(step); growth > kGrowth) {
    return {Fault::Kind::handles, growth};
  }
  correction_->correct(step, next_, constraint_f_);
  if (is_free()) next_.rigid->set_mass_motion(shape_mass_motion(next_.q, next_.v));
  return {};
}

void ModalBody::finish(const TimeSpan& span, const SampledLoads& loads) {
  predicted_ = true;
  if (is_free()) {
    frame_ = next_.rigid->state(loads.gravity, loads.wrench);
  } else {
    frame_ = support_.at(span.t1);
  }
}

/// Nothing may leave every sensible size: a bound first, by the triangle inequality, since it is
/// nearly always enough.
Fault ModalBody::guard() const {
  constexpr double kLongest = 1e3;  // no law of elasticity goes so far
  if (!next_.q.allFinite() || !next_.v.allFinite() || (next_.rigid && !next_.rigid->is_finite())) {
    return {Fault::Kind::overflow};
  }
  // A single node has no size to be compared with.
  if (size_ == 0 || mode_sizes_.dot(next_.q.cwiseAbs()) <= kLongest * size_) return {};
  double longest = 0;
  for (int i = 0; i < model_.node_count(); ++i) {
    longest = std::max(longest, (node_Phi(model_, i) * next_.q).norm());
  }
  if (longest <= kLongest * size_) return {};
  if (!std::isfinite(longest)) return {Fault::Kind::overflow};
  return {Fault::Kind::stretched, longest / size_};
}

}  // namespace limber
