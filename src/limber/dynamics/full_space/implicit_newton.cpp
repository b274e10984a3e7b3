// Newton's method for steps of nonlinear elasticity.
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/dynamics/full_space/implicit_step.h"
#include "limber/fem/stvk.h"

namespace limber {

namespace {

/// Exact arithmetic would need as many iterations as there are unknowns: what is not solved by four
/// times as many drowns in rounding, and the directions after it alike.
bool drowned(const KrylovStatus& solved, Eigen::Index unknowns) {
  return !solved.converged && !solved.negative_curvature && solved.iterations > 4 * unknowns;
}

}  // namespace

/// The corotational tangent first: where strains are not large it leads to the end in a few passes
/// over the tets without a matrix. Newton's method does the rest; where its tangent has negative
/// curvature, by the part that has none.
Fault ImplicitStep::solve_nonlinear() {
  constexpr double kForcing = 0.01;    // how well a Newton direction is solved for
  constexpr double kNearlyFlat = 0.1;  // of the rest volume; StVK softens from 1/√3 of a length on
  constexpr int kMostDrowned = 3;
  StepStatus& status = trial_->status;
  switch (linear_.can_hold() ? iterate_corotational() : HeldPasses::useless) {
    case HeldPasses::converged:
      return {};
    case HeldPasses::nearer:
      break;
    case HeldPasses::useless:
      choose_nonlinear_start();
  }
  int drowned_directions = 0;
  for (int k = 0; k < system_.options.nonlinear_iterations; ++k) {
    trial_->x = now_->x + trial_->h * trial_->v;
    system_.elasticity->linearise(trial_->x);
    evaluate_residual(trial_->v, k);
    const double scale = residual_scale();
    if (const Fault fault = overflow_of(scale)) return fault;
    const double residual = r_.norm();
    status.residual = scale > 0 ? residual / scale : 0;
    status.converged = status.residual <= tolerance();
    if (status.converged) return {};
    gradient_ = -r_;
    const double goal = std::max(0.5 * tolerance() * scale, kForcing * residual);
    linear_.assemble(Tangent::exact);
    const KrylovStatus solved = solve_linear(goal);
    bool found = !solved.negative_curvature && search(k);
    if (!found) {
      r_ = -gradient_;
      linear_.assemble(Tangent::safe);
      solve_linear(goal);
      found = search(k);
    }
    ++status.newton_iterations;
    if (drowned(solved, r_.size())) ++drowned_directions;
    if (!found || drowned_directions == kMostDrowned) break;
  }
  return inversion(kNearlyFlat);
}

/// As long as each pass leaves less than half of the residual.
ImplicitStep::HeldPasses ImplicitStep::iterate_corotational() {
  constexpr int kMost = 20;
  constexpr double kSlow = 0.5;
  constexpr double kForcing = 0.1;  // the law itself differs by more
  StepStatus& status = trial_->status;
  Positions& v = trial_->v;
  v = 2 * trial_->before_v - now_->last_v;  // velocities go on changing as they did
  double first = 0;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMost; ++k) {
    trial_->x = now_->x + trial_->h * v;
    if (inversion(0)) return HeldPasses::useless;
    system_.elasticity->linearise(trial_->x);
    evaluate_residual(v, k);
    const double scale = residual_scale();
    const double residual = r_.norm();
    if (!std::isfinite(residual) || !std::isfinite(scale)) return HeldPasses::useless;
    status.residual = scale > 0 ? residual / scale : 0;
    status.converged = status.residual <= tolerance();
    if (status.converged) return HeldPasses::converged;
    if (k == 0) first = residual;
    if (residual > kSlow * last) {
      if (residual < last) return HeldPasses::nearer;
      v = base_v_;
      return last < first ? HeldPasses::nearer : HeldPasses::useless;
    }
    last = residual;
    base_v_ = v;
    linear_.assemble(Tangent::held);
    solve_linear(std::max(0.5 * tolerance() * scale, kForcing * residual));
    system_.mesh.add_scattered(1, direction_, v);
    ++status.newton_iterations;
  }
  return HeldPasses::nearer;
}

/// The old velocities, or none where those lead to a worse place.
void ImplicitStep::choose_nonlinear_start() {
  Positions& v = trial_->v;
  v = trial_->before_v;
  const double as_before = potential(v);
  base_v_ = v;
  for (const int node : system_.mesh.free().nodes()) v.row(node).setZero();
  if (as_before <= potential(v)) v = base_v_;
}

/// Green strain with a linear law gives way under strong compression: there is nothing to converge
/// to.
Fault ImplicitStep::inversion(double least_volume) const {
  if (system_.elasticity->bears_inversion()) return {};
  return inversion_of(system_.mesh, trial_->x, least_volume);
}

/// Goes along the direction as far as the potential falls. Close to the solution, where its changes
/// drown in rounding, the residual decides. False: no way down was found.
bool ImplicitStep::search(int pass) {
  constexpr double kSufficient = 1e-4;  // Armijo's rule
  constexpr double kRounding = 1e-11;
  // Where tets may turn inside out, energies rise with the sixth power of a step that is too long.
  const double shortest = system_.elasticity->bears_inversion() ? 1e-9 : 1e-4;
  Positions& v = trial_->v;
  const double slope = gradient_.dot(direction_);
  if (!(slope < 0)) return false;
  base_v_ = v;
  const double start = potential(base_v_);
  const double rounding = kRounding * std::abs(start) + system_.elasticity->energy_rounding();
  for (double s = 1; s > shortest; s /= 2) {
    v = base_v_;
    system_.mesh.add_scattered(s, direction_, v);
    const double value = potential(v);
    if (value <= start + kSufficient * s * slope) return true;
    if (std::abs(value - start) > rounding) continue;
    evaluate_residual(v, pass);
    if (r_.norm() < gradient_.norm()) return true;
  }
  v = base_v_;
  return false;
}

/// What the residual is minus the gradient of, dry friction apart; infinite where a tet is inside
/// out that must not be.
double ImplicitStep::potential(const Positions& velocities) {
  const double h = trial_->h;
  const Damping& damping = system_.options.damping;
  Positions& x = trial_->x;
  ++trial_->status.passes;
  x = now_->x + h * velocities;
  if (!system_.elasticity->bears_inversion() &&
      !(smallest_volume_ratio(system_.mesh.tets(), x).ratio > 0)) {
    return std::numeric_limits<double>::infinity();
  }
  double sum = system_.elasticity->energy(x) - h * trial_->outer.cwiseProduct(velocities).sum();
  const NodeMotion motion{now_->x, x, velocities, h};
  system_.for_each_attachment(
      [&](const Attachment& attachment) { sum += attachment.energy(motion); });
  scratch_ = velocities - trial_->start_v;
  sum += system_.mesh.kinetic_energy(scratch_) +
         h * damping.mass * system_.mesh.kinetic_energy(velocities);
  if (damping.stiffness > 0) {
    product_.setZero();
    system_.elasticity->add_product(damping.stiffness, velocities, product_);
    sum += h / 2 * product_.cwiseProduct(velocities).sum();
  }
  return sum;
}

}  // namespace limber
