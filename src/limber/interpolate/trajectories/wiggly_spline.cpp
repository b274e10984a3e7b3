#include "limber/interpolate/trajectories/wiggly_spline.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace limber {

namespace {

using Mat2 = Eigen::Matrix2d;
using Vec2 = Eigen::Vector2d;

/// Free velocities at the two ends may have to be endless: where a whole number of half swings fits
/// between keys, or where a strongly damped mode has to arrive somewhere. This share of what
/// velocities weigh in the integral holds them back; ordinary curves change by about as much.
constexpr double kEndVelocityShare = 1e-4;
/// Keeps the system solvable where damping forgets all: far below rounding of anything that counts.
constexpr double kForgotten = 1e-14;

/// Quadratic form of one interval: the least integral as a function of the velocities at its ends,
/// ½ vᵀ H v − gᵀ v + constant.
struct IntervalForm {
  Mat2 H;
  Vec2 g;
};

IntervalForm interval_form(const Propagator& p, const Mat2& inverse, double z0, double z1) {
  // d = (z1, v1) − E (z0, v0) = fixed + C (v0, v1).
  const Vec2 fixed = Vec2(z1, 0) - p.E.col(0) * z0;
  Mat2 C;
  C.col(0) = -p.E.col(1);
  C.col(1) = Vec2(0, 1);
  return {2 * C.transpose() * inverse * C, -2 * C.transpose() * inverse * fixed};
}

/// Solves the symmetric tridiagonal system in place; `off` has one entry less than `diagonal`.
std::vector<double> solve_tridiagonal(std::vector<double> diagonal, const std::vector<double>& off,
                                      std::vector<double> right) {
  const std::size_t n = diagonal.size();
  for (std::size_t k = 1; k < n; ++k) {
    const double factor = off[k - 1] / diagonal[k - 1];
    diagonal[k] -= factor * off[k - 1];
    right[k] -= factor * right[k - 1];
  }
  for (std::size_t k = n; k-- > 0;) {
    if (k + 1 < n) right[k] -= off[k] * right[k + 1];
    right[k] /= diagonal[k];
  }
  return right;
}

}  // namespace

Propagator propagator(const Swing& swing, double t) {
  constexpr int kTerms = 14;             // 0.5¹⁴/14! < 1e-15
  constexpr double kLargestStep = 0.25;  // of ‖A‖ t, so that W's series has 0.5
  if (!(t > 0)) return {Mat2::Identity(), Mat2::Zero()};
  const double k = swing.stiffness();
  const double b = 2 * swing.alpha;
  // The state is (s z, ż) with s = λ, or 1/t for slow modes: both rows of A are then alike.
  const double s = std::max(std::sqrt(k), 1 / t);
  Mat2 A;
  A << 0, s * t, -k / s * t, -b * t;
  const int doublings = std::max(0, static_cast<int>(std::ceil(std::log2(
                                        A.cwiseAbs().rowwise().sum().maxCoeff() / kLargestStep))));
  const double h = std::ldexp(1.0, -doublings);
  Propagator p{Mat2::Identity(), Mat2::Zero()};
  Mat2 term_E = Mat2::Identity();
  Mat2 term_W;
  term_W << 0, 0, 0, h * t;
  for (int i = 1; i <= kTerms; ++i) {
    term_E = (term_E * A * (h / i)).eval();
    p.E += term_E;
    p.W += term_W;
    term_W = ((A * term_W + term_W * A.transpose()) * (h / (i + 1))).eval();
  }
  for (int i = 0; i < doublings; ++i) {
    p.W += (p.E * p.W * p.E.transpose()).eval();
    p.E = (p.E * p.E).eval();
  }
  p.E(0, 1) /= s;
  p.E(1, 0) *= s;
  p.W(0, 0) /= s * s;
  p.W(0, 1) /= s;
  p.W(1, 0) /= s;
  return p;
}

WigglySpline::WigglySpline(const Swing& swing, std::vector<double> times,
                           const std::vector<double>& values,
                           const std::vector<std::optional<double>>& velocities)
    : swing_(swing), times_(std::move(times)) {
  const std::size_t keys = times_.size();
  std::vector<Propagator> legs;
  std::vector<Mat2> inverses;
  std::vector<double> diagonal(keys, 0.0), off(keys - 1, 0.0), right(keys, 0.0);
  for (std::size_t i = 0; i + 1 < keys; ++i) {
    legs.push_back(propagator(swing_, times_[i + 1] - times_[i]));
    inverses.push_back(legs[i].W.inverse());
    const IntervalForm form = interval_form(legs[i], inverses[i], values[i], values[i + 1]);
    const double weight = form.H.trace();
    diagonal[i] += form.H(0, 0) + (i == 0 ? kEndVelocityShare : kForgotten) * weight;
    diagonal[i + 1] += form.H(1, 1) + (i + 2 == keys ? kEndVelocityShare : kForgotten) * weight;
    off[i] = form.H(0, 1);
    right[i] += form.g[0];
    right[i + 1] += form.g[1];
  }
  for (std::size_t i = 0; i < keys; ++i) {
    if (i >= velocities.size() || !velocities[i]) continue;
    // A given velocity: its row becomes v = given, its column goes to the right.
    if (i > 0) right[i - 1] -= off[i - 1] * *velocities[i];
    if (i + 1 < keys) right[i + 1] -= off[i] * *velocities[i];
    if (i > 0) off[i - 1] = 0;
    if (i + 1 < keys) off[i] = 0;
    diagonal[i] = 1;
    right[i] = *velocities[i];
  }
  const std::vector<double> v = solve_tridiagonal(diagonal, off, right);
  for (std::size_t i = 0; i < keys; ++i) states_.emplace_back(values[i], v[i]);
  for (std::size_t i = 0; i + 1 < keys; ++i) {
    const Vec2 d = states_[i + 1] - legs[i].E * states_[i];
    pulls_.push_back(inverses[i] * d);
    residual_ += d.dot(pulls_[i]);
  }
}

Eigen::Vector2d WigglySpline::at(double t) const {
  if (times_.empty()) return Vec2::Zero();
  if (t >= times_.back()) return propagator(swing_, t - times_.back()).E * states_.back();
  if (t < times_.front()) t = times_.front();
  const auto behind = std::upper_bound(times_.begin(), times_.end(), t);
  const std::size_t i = static_cast<std::size_t>(behind - times_.begin()) - 1;
  const Propagator so_far = propagator(swing_, t - times_[i]);
  const Propagator rest = propagator(swing_, times_[i + 1] - t);
  return so_far.E * states_[i] + so_far.W * (rest.E.transpose() * pulls_[i]);
}

double WigglySpline::residual() const { return residual_; }

}  // namespace limber
