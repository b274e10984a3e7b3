#include "limber/dynamics/full_space/implicit_step.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace limber {

ImplicitStep::ImplicitStep(FullSystem& system, StepSystem& linear)
    : system_(system),
      linear_(linear),
      r_(3 * system.mesh.free_count()),
      direction_(r_.size()),
      gradient_(r_.size()) {
  for (Positions* field : {&base_v_, &scratch_, &product_}) {
    field->setZero(system.mesh.node_count(), 3);
  }
}

Fault ImplicitStep::solve(const NodeState& now, Trial& trial, Guard& guard) {
  now_ = &now;
  trial_ = &trial;
  if (const Fault fault = system_.elasticity->nonlinear() ? solve_nonlinear() : solve_held()) {
    return fault;
  }
  trial.x = now.x + trial.h * trial.v;
  trial.forces = trial.outer;
  const NodeMotion motion{now.x, trial.x, trial.v, trial.h};
  system_.for_each_attachment(
      [&](Attachment& attachment) { attachment.add_forces(motion, trial.forces); });
  if (keeps_momentum()) keep_momentum();
  guard.add_work(trial.forces, now.x, trial.x);
  return {};
}

/// Linear elasticity holds a body back that turns. Where a ground turns it in every step, keeping
/// its angular momentum against that would run away. What is held hard gets its momenta from forces
/// that are known to few digits only.
bool ImplicitStep::keeps_momentum() const {
  if (!system_.free_body || !system_.options.keep_momentum) return false;
  if (system_.springs.active() && system_.springs.holds_hard(trial_->h)) return false;
  return !system_.elasticity->constant() || !system_.ground || system_.ground->contact_count() == 0;
}

/// Outer impulses, `forces` all together, alone change the momenta; arms are those at the start,
/// which makes it exact: Σ (x + h v)×Mv = Σ x×Mv.
void ImplicitStep::keep_momentum() {
  Momentum wanted = system_.keeper.momentum(now_->x, trial_->start_v);
  wanted += impulse(now_->x, trial_->forces, trial_->h);
  const double damped = 1 + trial_->h * system_.options.damping.mass;
  wanted.linear /= damped;
  wanted.angular /= damped;
  system_.keeper.set_momentum(wanted, now_->x, trial_->v);
  trial_->x = now_->x + trial_->h * trial_->v;
}

double ImplicitStep::tolerance() const {
  if (system_.options.tolerance) return *system_.options.tolerance;
  return linear_.passes_on() ? kPassedOnTolerance : kStepTolerance;
}

/// Velocities go on changing as they did, unless something may be in their way.
Fault ImplicitStep::solve_held() {
  trial_->v = trial_->before_v;
  if (!system_.attached()) trial_->v += trial_->before_v - now_->last_v;
  if (system_.core) system_.core->make_rigid(trial_->v);
  const Fault fault = iterate_held();
  if (linear_.passes_on() && trial_->status.converged) {
    trial_->remainder = r_;
  } else {
    trial_->remainder.setZero();
  }
  return fault;
}

/// Rotations are held while a linear system is solved: those of the start of the step, then, when
/// more than one linearisation is asked for, those of the last iterate. Ground and handles may need
/// more systems, until the nodes that touch stay the same.
Fault ImplicitStep::iterate_held() {
  constexpr int kContactPasses = 12;
  constexpr double kGain = 0.5;  // a start that is good enough gets better, or errors would add up
  const bool attached = system_.attached();
  const int linearisations = system_.options.newton_iterations;
  const int most = linearisations + (attached ? kContactPasses : 0);
  StepStatus& status = trial_->status;
  for (int k = 0; k < most; ++k) {
    if (k < linearisations) system_.elasticity->linearise(k == 0 ? now_->x : trial_->x);
    evaluate_residual(trial_->v, k);
    r_ += now_->remainder;
    if (system_.core) system_.core->project(r_);
    const double scale = residual_scale();
    if (const Fault fault = overflow_of(scale)) return fault;
    status.residual = scale > 0 ? r_.norm() / scale : 0;
    status.converged = status.residual <= tolerance();
    if (status.residual == 0 || (status.converged && attached)) return {};
    if (k < linearisations || attached) linear_.assemble(linear_.held_tangent());
    const double enough = attached ? 0.5 * tolerance() : tolerance();
    const KrylovStatus solved = solve_linear(scale * std::min(enough, kGain * status.residual));
    system_.mesh.add_scattered(1, direction_, trial_->v);
    ++status.newton_iterations;
    status.residual = solved.residual / scale;
    status.converged = status.residual <= tolerance();
    if (!attached && k + 1 == most) return {};
  }
  return {};
}

/// r = M (v₀ − (1+hα) v) + h (all forces), and the trial's x = x₀ + h v.
void ImplicitStep::evaluate_residual(const Positions& velocities, int pass) {
  const double h = trial_->h;
  const Damping& damping = system_.options.damping;
  Positions& forces = trial_->forces;
  ++trial_->status.passes;
  trial_->x = now_->x + h * velocities;
  forces.setZero();
  system_.elasticity->add_step_forces(trial_->x, velocities, damping.stiffness, forces);
  const NodeMotion motion{now_->x, trial_->x, velocities, h};
  system_.for_each_attachment([&](Attachment& attachment) {
    attachment.linearise(motion, pass);
    attachment.add_forces(motion, forces);
  });
  scratch_ = trial_->start_v - (1 + h * damping.mass) * velocities;
  system_.mesh.multiply_mass(scratch_, product_);
  scratch_ = product_ + h * (forces + trial_->outer);
  system_.mesh.gather(scratch_, r_);
}

/// Residuals are compared with the momenta before the step and the impulses during it, as they are
/// at the iterate: a poor start may have far larger ones.
double ImplicitStep::residual_scale() {
  const auto norm = [&](const Positions& field) {
    double sum = 0;
    for (const int node : system_.mesh.free().nodes()) sum += field.row(node).squaredNorm();
    return std::sqrt(sum);
  };
  system_.mesh.multiply_mass(trial_->start_v, product_);
  const double momenta = norm(product_);
  // A hard handle's force says how hard it is, not how large the forces in the body are.
  const NodeMotion motion{now_->x, trial_->x, trial_->v, trial_->h};
  scratch_.setZero();
  system_.springs.add_forces(motion, scratch_);
  trial_->forces -= scratch_;
  return momenta + trial_->h * (norm(trial_->outer) + norm(trial_->forces) +
                                system_.springs.softened_force(motion));
}

/// direction_ = A⁻¹ r_.
KrylovStatus ImplicitStep::solve_linear(double goal) {
  const std::clock_t begin = std::clock();
  const KrylovStatus solved = linear_.solve(goal, direction_, r_);
  trial_->status.solver_iterations += solved.iterations;
  trial_->status.passes += solved.iterations;
  trial_->status.solver_seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return solved;
}

}  // namespace limber
