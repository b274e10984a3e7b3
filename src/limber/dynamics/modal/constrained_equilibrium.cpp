#include "limber/dynamics/modal/constrained_equilibrium.h"

#include <limits>

namespace limber {

namespace {

constexpr int kMostCreeps = 20'000;
/// Small enough that forces which turn with the body do not overshoot; halved where they do.
constexpr double kFirstCreep = 0.5;
constexpr double kSmallestCreep = 1e-3;

/// A step so long that velocities and the past do not count.
StepCoefficients endless_step(const Vector& eigenvalues) {
  const Vector zero = Vector::Zero(eigenvalues.size());
  return {zero, zero, eigenvalues.cwiseInverse(), zero, zero, zero};
}

}  // namespace

SettleStatus find_constrained_equilibrium(const StepContext& step, const StaticLoads& loads,
                                          const SettleOptions& options, StepCorrection& handles,
                                          Vector& q) {
  const Vector lambda = step.body.eigenvalues();
  const StepCoefficients coefficients = endless_step(lambda);
  Vector v = Vector::Zero(q.size());
  Vector f = Vector::Zero(q.size());
  Vector previous = q;
  const StepContext endless{step.body,
                            step.method,
                            step.damping,
                            coefficients,
                            std::numeric_limits<double>::infinity(),
                            step.time,
                            previous,
                            v};
  SettleStatus status;
  double share = kFirstCreep;
  double last_change = std::numeric_limits<double>::infinity();
  for (; status.iterations < kMostCreeps; ++status.iterations) {
    previous = q;
    loads.evaluate(q, f, nullptr);
    q = (1 - share) * previous + share * f.cwiseQuotient(lambda);
    Vector handle_force = Vector::Zero(q.size());
    Vector rest = Vector::Zero(q.size());
    handles.correct(endless, q, rest, handle_force);
    const double change = (q - previous).norm() / share;
    status.residual = change / std::max(q.norm(), std::numeric_limits<double>::min());
    status.converged = status.residual <= options.tolerance;
    if (status.converged || !q.allFinite()) break;
    if (change > last_change && share > kSmallestCreep) share *= 0.7;
    last_change = change;
  }
  if (!q.allFinite()) q = previous;
  return status;
}

}  // namespace limber
