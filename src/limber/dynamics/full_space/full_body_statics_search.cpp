// Newton's directions in statics, and how far to go along them where forces have a potential.
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/dynamics/full_space/full_body_statics.h"
#include "limber/fem/stvk.h"

namespace limber {

/// False: negative curvature.
bool FullBody::Statics::factor_tangent(Tangent kind, double shift) {
  Elasticity& elasticity = guide ? *guide : *body.elasticity_;
  if (guide) guide->linearise(x);
  body.mesh_.set_mass(shift, body.A_);
  elasticity.add_tangent(1, 0, kind, body.A_);
  body.add_attached(1, 0);
  body.A_.copy_to(matrix);
  try {
    if (factor) {
      factor->refactor(matrix);
    } else {
      factor.emplace(matrix, Cholesky::Options{Cholesky::Backend::automatic, 3});
    }
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// Of the method's tangent or its guide's, as exact as it can be factored.
void FullBody::Statics::factor_best_tangent() {
  double shift = body.free_body_ ? holding_inertia(1e-12) : 0;
  Tangent kind = Tangent::exact;
  while (!factor_tangent(kind, shift)) {
    if (kind == Tangent::exact) {
      kind = Tangent::safe;
    } else {
      shift = std::max(holding_inertia(1e-6), 10 * shift);
      body.refuse_overflow(shift);
    }
  }
}

void FullBody::Statics::find_direction() {
  factor_best_tangent();
  if (guide) return find_direction_by_differences();
  body.direction_ = body.r_;
  factor->solve_in_place(body.direction_);
}

/// StVK: of a tet, relative to its rest; others bear tets that are inside out.
double FullBody::Statics::smallest_volume() const {
  if (body.options_.method != FullMethod::stvk) return 1;
  return smallest_volume_ratio(body.mesh_.tets(), x).ratio;
}

double FullBody::Statics::potential() {
  if (!(smallest_volume() > least_volume)) return std::numeric_limits<double>::infinity();
  double sum = body.elasticity_->energy(x) - load * body.outer_.cwiseProduct(x).sum();
  if (guided) sum -= ghost.cwiseProduct(x).sum();
  body.for_each_attachment([&](const Attachment& a) { sum += a.energy(x); });
  return sum;
}

bool FullBody::Statics::search() {
  if (guide) return search_by_level();
  constexpr double kSufficient = 1e-4;  // Armijo's rule
  constexpr double kRounding = 1e-12;
  constexpr double kShortest = 1e-3;
  constexpr double kShortestTurn = 0.1;
  constexpr double kToWall = 0.5;  // tets that a step makes flat stop all steps after it
  const double slope = -body.r_.dot(body.direction_);
  const Vector residual = body.r_;
  const Vector direction = body.direction_;
  base = x;
  least_volume = kToWall * smallest_volume();
  const double start = potential();
  for (double s = 1; s > kShortest; s /= 2) {
    x = base;
    body.mesh_.add_scattered(s, direction, x);
    double value = potential();
    const double enough = start + kSufficient * s * slope;
    if (s == 1 && value <= enough) return true;
    if (std::abs(value - start) <= kRounding * std::abs(start)) {
      evaluate();
      if (body.r_.norm() < residual.norm()) return true;
    } else if (s > kShortestTurn) {
      value = straighten(value, start, (1 - s) * residual);
    }
    if (value <= enough) return true;
  }
  x = base;
  return false;
}

/// A stiff part that turns on a soft one moves along a circle, and a straight step along its
/// tangent stretches it: what that costs hides what the soft part gains, and only the shortest
/// steps go down. So Newton's method goes on from there to what such a step should have left of the
/// residual, a second-order correction (Fletcher 1982). Takes and returns the potential at x.
double FullBody::Statics::straighten(double value, double start, const Vector& left) {
  constexpr int kCorrections = 6;
  constexpr double kGain = 0.03;  // of the whole step's, at least
  for (int k = 0; k < kCorrections && std::isfinite(value); ++k) {
    evaluate();
    const double shift = body.free_body_ ? holding_inertia(1e-12) : 0;
    if (!factor_tangent(Tangent::exact, shift) && !factor_tangent(Tangent::safe, shift)) break;
    body.direction_ = body.r_ - left;
    factor->solve_in_place(body.direction_);
    const Positions before = x;
    body.mesh_.add_scattered(1, body.direction_, x);
    const double gain = value - potential();
    if (!(gain > 0)) {
      x = before;
      break;
    }
    value -= gain;
    if (gain < kGain * (start - value)) break;
  }
  return value;
}

}  // namespace limber
