// Static equilibrium of a full-resolution body: Newton's method with load steps.
#include "limber/dynamics/full_space/statics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/dynamics/full_space/guard.h"

namespace limber {

Statics::Statics(FullSystem& system, const NodeState& now, const SettleOptions& options)
    : system_(system),
      options_(options),
      time_(now.time),
      frame_(system.free_body ? now.frame : system.support.at(now.time)),
      x_(now.x),
      still_(Positions::Zero(now.x.rows(), 3)),
      most_iterations_(options.most_iterations),
      best_relative_(std::numeric_limits<double>::infinity()),
      A_(system.mesh.pattern()),
      krylov_(3 * system.mesh.free_count()),
      r_(3 * system.mesh.free_count()),
      direction_(r_.size()),
      outer_(still_),
      forces_(still_),
      scratch_(still_) {
  for (const int node : system_.mesh.free().nodes()) x_.row(node) = system_.mesh.mesh().V.row(node);
  system_.elasticity->linearise(x_);
  A_.set_zero();
  system_.elasticity->add_tangent(1, 0, Tangent::safe, A_);
  if (system_.ground) {
    system_.ground->set_stiffness(A_, 1);
    system_.ground->begin_step(frame_, frame_);
  }
  refuse_overflow(A_.norm());
  refuse_underflow(A_.norm());
  if (system_.free_body) {
    refuse_fall();
    if (system_.ground && !system_.springs.holds()) lay_down();
    if (!system_.ground && system_.springs.holds()) hang();
    system_.mesh.set_mass(holding_inertia(1e-6), A_);
    system_.elasticity->add_tangent(1, 0, Tangent::safe, A_);
  }
  if (!system_.elasticity->symmetric()) {
    FullBodyOptions near = system_.options;
    near.method = Method::corotational;
    guide_ = make_elasticity(system_.mesh, near);
  }
  rounding_ = 2e-15 * A_.norm() * x_.cwiseAbs().maxCoeff();
  matrix_ = A_.to_sparse();
}

/// Where nothing holds the body, its inertia does, as in a long time step; 1/s². `part` of the
/// stiffness: 1e-12 leaves the rest as it is, 1e-6 holds what is not even stable.
double Statics::holding_inertia(double part) const {
  return part * A_.norm() / system_.mesh.total_mass();
}

void Statics::refuse_overflow(double norm) const {
  if (const Fault fault = overflow_of(norm)) throw error_of(fault, time_text(time_));
}

/// Squares of numbers below 1e-154 lose their digits, and are nothing from 1e-162 on: no inertia in
/// proportion to such a stiffness ever makes its matrix definite.
void Statics::refuse_underflow(double norm) const {
  constexpr double kLeast = 1e-150;
  if (norm >= kLeast) return;
  throw Error("the stiffness is too small to compute with", time_text(time_),
              "use a stiffer material", Error::Kind::work_failed);
}

void Statics::set_outer_forces() {
  find_outer_forces(system_, {time_, time_}, frame_, x_, scratch_, outer_);
}

double Statics::evaluate() {
  set_outer_forces();
  system_.elasticity->linearise(x_);
  Positions& forces = forces_;
  forces.setZero();
  system_.for_each_attachment([&](Attachment& attachment) {
    attachment.linearise(motion(), 0);
    attachment.add_forces(motion(), forces);
  });
  forces += load_ * outer_;
  if (guided_) forces += ghost_;
  system_.mesh.gather(forces, r_);
  const double scale = r_.norm();
  refuse_overflow(scale);
  scratch_.setZero();
  system_.elasticity->add_forces(x_, scratch_);
  if (system_.free_body && !system_.elasticity->symmetric()) system_.keeper.balance(x_, scratch_);
  forces += scratch_;
  system_.mesh.gather(forces, r_);
  const double residual = std::max(0.0, system_.springs.norm_beyond_rounding(x_, r_) - rounding_);
  return scale > 0 ? residual / scale : residual;
}

/// Newton's method at the present load.
bool Statics::solve(int most) {
  for (int k = 0; k < most; ++k) {
    relative_ = evaluate();
    if (!std::isfinite(relative_)) return false;
    keep_if_best();
    if (relative_ <= options_.tolerance) return true;
    if (iterations_ >= most_iterations_) return false;
    ++iterations_;
    find_direction();
    if (!search()) return false;
  }
  relative_ = evaluate();
  return relative_ <= options_.tolerance;
}

/// Follows the path from the unloaded body; steps shrink where Newton's method fails.
bool Statics::follow() {
  constexpr int kMostNewton = 30;
  constexpr double kSmallestStep = 1e-3;
  double step = 1;
  double reached = 0;
  Positions good = x_;
  while (reached < 1) {
    load_ = std::min(1.0, reached + step);
    if (solve(kMostNewton)) {
      reached = load_;
      good = x_;
      step *= 2;
    } else {
      x_ = good;
      step = (load_ - reached) / 4;
      if (step < kSmallestStep || iterations_ >= most_iterations_) return false;
    }
  }
  return true;
}

void Statics::keep_if_best() {
  if (guided_ || load_ < 1 || !(relative_ < best_relative_)) return;
  best_ = x_;
  best_relative_ = relative_;
}

bool Statics::find_balance() {
  const Positions start = x_;
  bool found = guide_ && follow_guide();
  if (!found) {
    x_ = start;
    most_iterations_ = iterations_ + options_.most_iterations;
    found = follow();
  }
  if (found) return true;
  load_ = 1;
  relative_ = evaluate();
  if (best_relative_ < relative_) x_ = best_;
  return false;
}

SettleStatus Statics::find_rest() {
  SettleStatus status;
  status.converged = find_balance();
  status.iterations = iterations_;
  load_ = 1;
  status.residual = evaluate();
  refuse_overflow(status.residual);
  undo_slide();
  return status;
}

}  // namespace limber
