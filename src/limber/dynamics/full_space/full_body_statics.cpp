// Static equilibrium of a full-resolution body: Newton's method with load steps.
#include "limber/dynamics/full_space/full_body_statics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"

namespace limber {

FullBody::Statics::Statics(FullBody& owner, const SettleOptions& settle_options)
    : body(owner),
      options(settle_options),
      frame(owner.free_body_ ? owner.frame_ : owner.support_.at(owner.time_)),
      x(owner.x_),
      most_iterations(settle_options.most_iterations),
      best_relative(std::numeric_limits<double>::infinity()) {
  for (const int node : body.mesh_.free().nodes()) x.row(node) = body.mesh_.mesh().V.row(node);
  body.elasticity_->linearise(x);
  body.A_.set_zero();
  body.elasticity_->add_tangent(1, 0, Tangent::safe, body.A_);
  if (body.ground_) {
    body.ground_->set_stiffness(body.A_, 1);
    body.ground_->begin_step(frame, frame);
  }
  body.springs_.begin_step(body.time_);
  body.refuse_overflow(body.A_.norm());
  if (body.free_body_) {
    refuse_fall();
    if (body.ground_ && !body.springs_.active()) lay_down();
    if (!body.ground_ && body.springs_.active()) hang();
    body.mesh_.set_mass(holding_inertia(1e-6), body.A_);
    body.elasticity_->add_tangent(1, 0, Tangent::safe, body.A_);
  }
  if (!body.elasticity_->symmetric()) {
    FullBodyOptions near = body.options_;
    near.method = FullMethod::corotational;
    guide = make_elasticity(body.mesh_, near);
  }
  rounding = 2e-15 * body.A_.norm() * x.cwiseAbs().maxCoeff();
  matrix = body.A_.to_sparse();
}

/// Where nothing holds the body, its inertia does, as in a long time step; 1/s². `part` of the
/// stiffness: 1e-12 leaves the rest as it is, 1e-6 holds what is not even stable.
double FullBody::Statics::holding_inertia(double part) const {
  return part * body.A_.norm() / body.mesh_.total_mass();
}

double FullBody::Statics::evaluate() {
  body.find_outer_forces({body.time_, body.time_}, frame, x);
  body.elasticity_->linearise(x);
  Positions& forces = body.forces_;
  forces.setZero();
  body.for_each_attachment([&](Attachment& attachment) {
    attachment.linearise(motion(), 0);
    attachment.add_forces(motion(), forces);
  });
  forces += load * body.outer_;
  if (guided) forces += ghost;
  body.mesh_.gather(forces, body.r_);
  const double scale = body.r_.norm();
  body.refuse_overflow(scale);
  body.scratch_.setZero();
  body.elasticity_->add_forces(x, body.scratch_);
  if (body.free_body_ && !body.elasticity_->symmetric()) body.keeper_.balance(x, body.scratch_);
  forces += body.scratch_;
  body.mesh_.gather(forces, body.r_);
  const double residual = std::max(0.0, body.springs_.norm_beyond_rounding(x, body.r_) - rounding);
  return scale > 0 ? residual / scale : residual;
}

/// Newton's method at the present load.
bool FullBody::Statics::solve(int most) {
  for (int k = 0; k < most; ++k) {
    relative = evaluate();
    if (!std::isfinite(relative)) return false;
    keep_if_best();
    if (relative <= options.tolerance) return true;
    if (iterations >= most_iterations) return false;
    ++iterations;
    find_direction();
    if (!search()) return false;
  }
  relative = evaluate();
  return relative <= options.tolerance;
}

/// Follows the path from the unloaded body; steps shrink where Newton's method fails.
bool FullBody::Statics::follow() {
  constexpr int kMostNewton = 30;
  constexpr double kSmallestStep = 1e-3;
  double step = 1;
  double reached = 0;
  Positions good = x;
  while (reached < 1) {
    load = std::min(1.0, reached + step);
    if (solve(kMostNewton)) {
      reached = load;
      good = x;
      step *= 2;
    } else {
      x = good;
      step = (load - reached) / 4;
      if (step < kSmallestStep || iterations >= most_iterations) return false;
    }
  }
  return true;
}

void FullBody::Statics::keep_if_best() {
  if (guided || load < 1 || !(relative < best_relative)) return;
  best = x;
  best_relative = relative;
}

bool FullBody::Statics::find_rest() {
  const Positions start = x;
  bool found = guide && follow_guide();
  if (!found) {
    x = start;
    most_iterations = iterations + options.most_iterations;
    found = follow();
  }
  if (found) return true;
  load = 1;
  relative = evaluate();
  if (best_relative < relative) x = best;
  return false;
}

SettleStatus FullBody::settle(const SettleOptions& options) {
  h_ = 0;  // matrices and the ground's springs are used for statics
  Statics statics(*this, options);
  SettleStatus status;
  status.converged = statics.find_rest();
  status.iterations = statics.iterations;
  statics.load = 1;
  status.residual = statics.evaluate();
  refuse_overflow(status.residual);
  if (status.converged) refuse_stretch(statics.x);
  statics.undo_slide();
  frame_ = statics.frame;
  x_ = statics.x;
  v_.setZero();
  forget_history();
  return status;
}

}  // namespace limber
