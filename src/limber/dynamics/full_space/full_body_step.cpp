// One implicit Euler step of a full-resolution body:
//   M (v⁺ − v) = h (f_elastic(x + h v⁺) − C v⁺ + f_outer),  x⁺ = x + h v⁺.
// Methods that hold their rotations over a step need one linear system, StVK Newton's method.
#include <algorithm>
#include <cmath>
#include <string>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/full_space/attached_preconditioner.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/dynamics/modal/modal_shape.h"

namespace limber {

void FullBody::step(double h) {
  if (!(h > 0) || !std::isfinite(h)) {
    throw Error("the time step must be positive and finite, not " + std::to_string(h),
                "full-resolution body", "give seconds, for example 0.01");
  }
  const TimeSpan span{time_, time_ + h};
  if (options_.integrator == TimeIntegrator::symplectic_euler) return step_explicit(span);
  prepare(h);
  begin_step(span);
  solve_motion();
  end_step(span);
}

/// The rest state's matrix for this h, and what is made from it.
void FullBody::prepare(double h) {
  if (h == h_) return;
  h_ = 0;  // until all is ready
  elasticity_->linearise(mesh_.mesh().V);
  mesh_.set_mass(1 + h * options_.damping.mass, A_);
  elasticity_->add_tangent(h * h, h * options_.damping.stiffness, Tangent::safe, A_);
  refuse_overflow(A_.norm());
  preconditioner_ = make_preconditioner(A_, options_.preconditioner, options_.largest_factor_bytes);
  attached_preconditioner_.reset();
  if (ground_) ground_->set_stiffness(A_, h * h);
  if (elasticity_->constant()) constant_matrix_ = A_;
  h_ = h;
}

void FullBody::begin_step(const TimeSpan& span) {
  status_ = {};
  open_budget();
  if (attached() && !attached_preconditioner_) {
    attached_preconditioner_ = std::make_unique<AttachedPreconditioner>(A_.size());
    attached_blocks_.reserve(2 * static_cast<std::size_t>(mesh_.free_count()));
  }
  springs_.begin_step(span.t1);
  kick_by_support(span, true);
  const FrameState middle = free_body_ ? frame_ : support_.at(span.middle());
  find_outer_forces(span, middle, x_);
  start_v_ = v_;
  const Vec3 spin = middle.rotation.transpose() * middle.angular_velocity;
  if (!spin.isZero(0)) {
    // v̇ = −2 ω×v alone turns velocities: stable for any h, where adding it as a force is not.
    start_v_.noalias() = v_ * rotation_exp(-2 * h_ * spin).transpose();
  }
  if (ground_) ground_->begin_step(frame_, free_body_ ? frame_ : support_.at(span.t1));
}

/// A support whose velocity jumps leaves the body behind. The effect lies between that of a jump at
/// the start and one at the end of the step, in proportion to its place.
void FullBody::kick_by_support(const TimeSpan& span, bool at_start) {
  if (free_body_) return;
  for (const VelocityJump& jump : support_.jumps()) {
    if (jump.time <= span.t0 || jump.time > span.t1) continue;
    const double place = (jump.time - span.t0) / (span.t1 - span.t0);
    const double part = at_start ? 1 - place : place;
    const Mat3 to_frame = support_.at(jump.time).rotation.transpose();
    const Vec3 velocity = part * (to_frame * jump.velocity);
    const Vec3 spin = part * (to_frame * jump.angular_velocity);
    energy_.budget -= kinetic_energy();
    for (const int node : mesh_.free().nodes()) {
      const Vec3 arm = x_.row(node).transpose();
      v_.row(node) -= (velocity + spin.cross(arm)).transpose();
    }
    energy_.budget += kinetic_energy();
  }
}

void FullBody::find_outer_forces(const TimeSpan& span, const FrameState& frame,
                                 const Positions& positions) {
  const AccelerationField field = inertial_field(frame, gravity_over(loads_, span));
  if (field.gradient.isZero(0)) {
    outer_.noalias() = mesh_.node_mass() * field.uniform.transpose();
  } else {
    scratch_.noalias() = -positions * field.gradient.transpose();
    scratch_.rowwise() += field.uniform.transpose();
    mesh_.multiply_mass(scratch_, outer_);
  }
  const Mat3 to_frame = frame.rotation.transpose();
  for (const NodeForce& load : loads_.forces) {
    const double part = share(load.from, load.to, span);
    if (part == 0) continue;
    const Vec3 force = to_frame * (part * load.force);
    for (const int node : load.nodes) outer_.row(node) += force.transpose();
  }
}

void FullBody::end_step(const TimeSpan& span) {
  constexpr double kNearlyFlat = 0.1;  // of the rest volume; StVK softens from 1/√3 of a length on
  if (options_.method == FullMethod::stvk && !status_.converged) refuse_inversion(kNearlyFlat);
  end_ = x_ + h_ * trial_v_;
  forces_ = outer_;
  const NodeMotion motion{x_, end_, trial_v_, h_};
  for_each_attachment([&](Attachment& attachment) { attachment.add_forces(motion, forces_); });
  if (keeps_momentum()) keep_momentum();
  add_work(forces_, x_, end_);
  refuse_runaway();
  keep_state(span);
}

void FullBody::keep_state(const TimeSpan& span) {
  x_ = end_;
  last_v_.swap(v_);
  v_ = trial_v_;
  kick_by_support(span, false);
  springs_.end_step();
  if (!free_body_) frame_ = support_.at(span.t1);
  time_ = span.t1;
}

/// Linear elasticity holds a body back that turns. Where a ground turns it in every step, keeping
/// its angular momentum against that would run away.
bool FullBody::keeps_momentum() const {
  if (!free_body_ || !options_.keep_momentum) return false;
  return !elasticity_->constant() || !ground_ || ground_->contact_count() == 0;
}

/// Outer impulses, `forces_` all together, alone change the momenta; arms are those at the start,
/// which makes it exact: Σ (x + h v)×Mv = Σ x×Mv.
void FullBody::keep_momentum() {
  Momentum wanted = keeper_.momentum(x_, start_v_);
  wanted += impulse(x_, forces_, h_);
  const double damped = 1 + h_ * options_.damping.mass;
  wanted.linear /= damped;
  wanted.angular /= damped;
  keeper_.set_momentum(wanted, x_, trial_v_);
  end_ = x_ + h_ * trial_v_;
}

}  // namespace limber
