// How much detail a modal body has: modes that stand still, and steps that share a modal force. See
// mode_fade.h and force_interval.h.
#include <algorithm>
#include <cmath>

#include "limber/dynamics/modal/modal_body.h"

namespace limber {

namespace {

/// A way a step, as a share of the body's size, that nobody sees: modes that move less may stop.
constexpr double kUnseen = 1e-4;

/// Modes from `active` on stay where they are.
void keep_still(StepCoefficients& coefficients, Eigen::Index active) {
  const Eigen::Index still = coefficients.qq.size() - active;
  coefficients.qq.tail(still).setOnes();
  for (Vector* column :
       {&coefficients.qv, &coefficients.qf, &coefficients.vq, &coefficients.vv, &coefficients.vf})
    column->tail(still).setZero();
}

}  // namespace

DetailSize ModalBody::detail_size() const {
  const bool sums = options_.method != Method::linear_modal && !nonlinear_ && !options_.fast;
  return {sums ? node_count() : 0, {model_.mode_count(), 0, interval_.most, 0}};
}

bool ModalBody::has_handles() const { return correction_ && !correction_->empty(); }

DetailChoice ModalBody::detail_choice() const {
  DetailChoice choice;
  if (nonlinear_ || has_handles()) return choice;
  choice.modes =
      options_.method == Method::modal_warping || options_.method == Method::linear_modal;
  choice.interval = has_steady_force();
  return choice;
}

DetailLevel ModalBody::detail_now() const {
  return {fade_.active(), 0, interval_.steps(), interval_.phase};
}

void ModalBody::want_detail(const DetailLevel& level) noexcept {
  const DetailChoice choice = detail_choice();
  if (fade_.want(choice.modes ? level.modes : model_.mode_count())) {
    set_active(fade_.active(), present_);
    f_known_ = false;  // of modes that stood it says nothing
  }
  interval_.phase = level.phase;
  interval_.wanted = choice.interval ? std::clamp(level.interval, 1, kMostInterval) : 1;
}

void ModalBody::fade_detail(double h) noexcept {
  if (fade_.pass(h, present_.v, mode_sizes_, kUnseen * size_)) set_active(fade_.active(), present_);
}

void ModalBody::set_active(int modes, const ModalState& state) {
  shape_->set_still(modes, state.q);
  h_ = kNoStep;
  interval_.coefficients_span = kNoStep;
}

void ModalBody::move_all_modes() {
  if (fade_.idle()) return;
  fade_ = ModeFade(model_.mode_count());
  set_active(model_.mode_count(), present_);
}

void ModalBody::hold_still() {
  if (fade_.active() == model_.mode_count()) return;
  keep_still(coefficients_, fade_.active());
  keep_still(half_, fade_.active());
  if (filter_taps_.size() > 0) filter_taps_.tail(filter_taps_.size() - fade_.active()).setZero();
}

/// Modes on their way back have a force a step, which is not for long.
bool ModalBody::may_hold_force() const { return has_steady_force() && !fade_.returning(); }

bool ModalBody::has_steady_force() const {
  const auto still = [](const FrameState& frame) {
    return frame.velocity.isZero(0) && frame.angular_velocity.isZero(0) &&
           frame.acceleration.isZero(0) && frame.angular_acceleration.isZero(0);
  };
  return !nonlinear_ && !has_handles() && options_.integrator == Integrator::exact &&
         !options_.coriolis && loads_.forces.empty() && steady_after(loads_, time_) &&
         (is_free() || still(frame_));
}

/// The force of the interval that the step begins, and the mass motion at its end.
void ModalBody::begin_interval(const TimeSpan& step) {
  const int steps = interval_.next_steps();
  const double H = steps * h_;
  if (interval_.coefficients_span != H) {
    interval_.coefficients_span = H;
    set_step_coefficients(interval_.coefficients, model_.eigenvalues(), options_.damping, H,
                          Integrator::exact);
    keep_still(interval_.coefficients, fade_.active());
  }
  const std::optional<RigidFrame> before = next_.rigid;
  if (is_free()) next_.rigid->drift(H / 2);
  over_interval_ = true;
  const bool had_force = f_known_;
  interval_.before_f = f_;
  find_modal_force({step.t0, step.t0 + H});
  find_mean_state();  // and the end that the force leads to
  over_interval_ = false;
  if (had_force) {
    double change = 0;
    for (Eigen::Index k = 0; k < fade_.active(); ++k)
      change += mode_sizes_[k] * std::abs(f_[k] - interval_.before_f[k]) / model_.eigenvalues()[k];
    interval_.judge(change / size_);
  }
  next_.rigid = before;
  MassMotion from, to;
  if (is_free()) {
    from = before->mass_motion();
    to = shape_mass_motion(interval_.end_q, interval_.end_v);
  }
  interval_.begin(steps, h_, from, to);
}

/// See force_interval.h.
void ModalBody::find_mean_state() {
  if (!f_known_) return;
  const double H = interval_.coefficients_span;
  Vector &q = interval_.end_q, &v = interval_.end_v;
  q = next_.q;
  v = next_.v;
  advance(interval_.coefficients, q.data(), v.data(), f_.data());
  const auto lambda = model_.eigenvalues();
  for (Eigen::Index k = 0; k < fade_.active(); ++k) {
    const double b = options_.damping.mass + options_.damping.stiffness * lambda[k];
    const double way = q[k] - next_.q[k];
    middle_v_[k] = way / H;
    // Of slow modes the quotient would be of rounding; the mean of both ends is as good.
    middle_q_[k] = lambda[k] * H * H > 1e-4
                       ? (f_[k] * H - (v[k] - next_.v[k]) - b * way) / (lambda[k] * H)
                       : next_.q[k] + way / 2;
  }
}

ModalBody::SampledLoads ModalBody::held_modal_force(const TimeSpan& span) {
  SampledLoads loads;
  loads.span = span;
  loads.gravity = gravity_over(loads_, span);
  return loads;
}

void ModalBody::break_interval() {
  if (!interval_.runs()) return;
  Vec3 by = Vec3::Zero();
  if (is_free()) {
    by = present_.rigid->mass_motion().shift - shape_->mass_motion(present_.q, present_.v).shift;
  }
  interval_.break_off(by);
}

}  // namespace limber
