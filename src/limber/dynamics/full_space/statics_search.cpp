// Newton's directions in statics, and how far to go along them where forces have a potential.
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/dynamics/full_space/statics.h"
#include "limber/fem/stvk.h"

namespace limber {

/// False: negative curvature.
bool Statics::factor_tangent(Tangent kind, double shift) {
  Elasticity& elasticity = guide_ ? *guide_ : *system_.elasticity;
  if (guide_) guide_->linearise(x_);
  system_.mesh.set_mass(shift, A_);
  elasticity.add_tangent(1, 0, kind, A_);
  system_.collect_blocks(1, 0, blocks_);
  for (const AttachedBlock& block : blocks_) add_to(block, A_);
  A_.copy_to(matrix_);
  try {
    if (factor_) {
      factor_->refactor(matrix_);
    } else {
      factor_.emplace(matrix_, Cholesky::Options{Cholesky::Backend::automatic, 3});
    }
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// Of the method's tangent or its guide's, as exact as it can be factored.
void Statics::factor_best_tangent() {
  double shift = system_.free_body ? holding_inertia(1e-12) : 0;
  Tangent kind = Tangent::exact;
  while (!factor_tangent(kind, shift)) {
    if (kind == Tangent::exact) {
      kind = Tangent::safe;
    } else {
      shift = std::max(holding_inertia(1e-6), 10 * shift);
      refuse_overflow(shift);
    }
  }
}

void Statics::find_direction() {
  factor_best_tangent();
  if (guide_) return find_direction_by_differences();
  direction_ = r_;
  factor_->solve_in_place(direction_);
}

/// StVK: of a tet, relative to its rest; others bear tets that are inside out.
double Statics::smallest_volume() const {
  if (system_.elasticity->bears_inversion()) return 1;
  return smallest_volume_ratio(system_.mesh.tets(), x_).ratio;
}

double Statics::potential() {
  if (!(smallest_volume() > least_volume_)) return std::numeric_limits<double>::infinity();
  double sum = system_.elasticity->energy(x_) - load_ * outer_.cwiseProduct(x_).sum();
  if (guided_) sum -= ghost_.cwiseProduct(x_).sum();
  system_.for_each_attachment([&](const Attachment& a) { sum += a.energy(x_); });
  return sum;
}

bool Statics::search() {
  if (guide_) return search_by_level();
  constexpr double kSufficient = 1e-4;  // Armijo's rule
  constexpr double kRounding = 1e-12;
  constexpr double kShortest = 1e-3;
  constexpr double kShortestTurn = 0.1;
  constexpr double kToWall = 0.5;  // tets that a step makes flat stop all steps after it
  const double slope = -r_.dot(direction_);
  const Vector residual = r_;
  const Vector direction = direction_;
  base_ = x_;
  least_volume_ = kToWall * smallest_volume();
  const double start = potential();
  for (double s = 1; s > kShortest; s /= 2) {
    x_ = base_;
    system_.mesh.add_scattered(s, direction, x_);
    double value = potential();
    const double enough = start + kSufficient * s * slope;
    if (s == 1 && value <= enough) return true;
    if (std::abs(value - start) <= kRounding * std::abs(start)) {
      evaluate();
      if (r_.norm() < residual.norm()) return true;
    } else if (s > kShortestTurn) {
      value = straighten(value, start, (1 - s) * residual);
    }
    if (value <= enough) return true;
  }
  x_ = base_;
  return false;
}

/// A stiff part that turns on a soft one moves along a circle, and a straight step along its
/// tangent stretches it: what that costs hides what the soft part gains, and only the shortest
/// steps go down. So Newton's method goes on from there to what such a step should have left of the
/// residual, a second-order correction (Fletcher 1982). Takes and returns the potential at x.
double Statics::straighten(double value, double start, const Vector& left) {
  constexpr int kCorrections = 6;
  constexpr double kGain = 0.03;  // of the whole step's, at least
  for (int k = 0; k < kCorrections && std::isfinite(value); ++k) {
    evaluate();
    const double shift = system_.free_body ? holding_inertia(1e-12) : 0;
    if (!factor_tangent(Tangent::exact, shift) && !factor_tangent(Tangent::safe, shift)) break;
    direction_ = r_ - left;
    factor_->solve_in_place(direction_);
    const Positions before = x_;
    system_.mesh.add_scattered(1, direction_, x_);
    const double gain = value - potential();
    if (!(gain > 0)) {
      x_ = before;
      break;
    }
    value -= gain;
    if (gain < kGain * (start - value)) break;
  }
  return value;
}

}  // namespace limber
