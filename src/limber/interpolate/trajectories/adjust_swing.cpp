#include "limber/interpolate/trajectories/adjust_swing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace limber {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// ω counts as standing at a barrier within this part of the distance between two.
constexpr double kAtBarrier = 0.02;
/// Intervals are closed this far, as a part of their length, before the barrier.
constexpr double kMargin = 1e-3;
constexpr int kMostSteps = 60;
/// Relative gain of a step below which a start has shown how good its basin is,
constexpr double kRoughly = 1e-6;
/// and below which nothing more is to be had.
constexpr double kEnough = 1e-12;
/// Steps this much damped go nowhere.
constexpr double kMostDamping = 1e12;
constexpr double kTiny = 1e-300;
/// e^{α'T} stays below e¹⁰⁰, far beyond any minimum and far from overflow when squared.
constexpr double kMostDampingGrowth = 100;
/// Starting points have α'T up to this: the slope of e^{α'T} lets steps come down from there.
constexpr double kStartGrowth = 5;

/// A point of the search: ω (or −σ) and α.
struct Point {
  double omega;
  double alpha;
};

double signed_omega(double kappa) { return std::copysign(std::sqrt(std::abs(kappa)), kappa); }

/// S = s(T), C = ṡ(T) and their derivatives by κ. For κ = −σ² < 0 all four are divided by
/// e^{σT}, `exponent` = σT, so that nothing overflows.
struct EndFunctions {
  double S, C, dS, dC;
  double exponent = 0;
};

EndFunctions end_functions(double kappa, double T) {
  EndFunctions f{};
  const double x = kappa * T * T;
  if (std::abs(x) < 1e-3) {  // the next terms are below x³/5040 ≈ 2e-13
    f.S = T * (1 - x / 6 + x * x / 120);
    f.C = 1 - x / 2 + x * x / 24;
    f.dS = T * T * T * (-1.0 / 6 + x / 60);
    f.dC = -T / 2 * f.S;
    return f;
  }
  const double rate = std::sqrt(std::abs(kappa));
  if (kappa > 0) {
    f.S = std::sin(rate * T) / rate;
    f.C = std::cos(rate * T);
  } else {
    const double twice = std::exp(-2 * rate * T);
    f.S = (1 - twice) / (2 * rate);
    f.C = (1 + twice) / 2;
    f.exponent = rate * T;
  }
  f.dS = (T * f.C - f.S) / (2 * kappa);
  f.dC = -T / 2 * f.S;
  return f;
}

class Adjustment {
 public:
  Adjustment(const Swing& wanted, double z0, double zT, double T, const AdjustmentWeights& weights)
      : wanted_{signed_omega(wanted.kappa), wanted.alpha},
        T_(T),
        velocity_(std::sqrt(weights.velocity)),
        frequency_(std::sqrt(weights.frequency)),
        damping_(std::sqrt(weights.damping)) {
    const double size = std::max(std::abs(z0), std::abs(zT));
    z0_ = z0 / size;
    zT_ = zT / size;
  }

  [[nodiscard]] double cost(const Point& p) const {
    const std::array<double, 3> r = residuals(p, nullptr);
    const double sum = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    return std::isfinite(sum) ? sum : kInfinity;
  }

  /// The best point reachable from the interval of `omega`.
  void search_interval(double omega, Point& best, double& best_cost) {
    set_interval(omega);
    const double middle = std::isfinite(low_) ? 0.5 * (low_ + high_) : 0.5 * high_;
    const double start_alpha = std::min(wanted_.alpha, kStartGrowth / T_);
    // At ω = 0 the cost is flat in ω: one start stands beside it.
    const double beside = std::max(wanted_.omega, 0.05 * high_);
    const std::array<Point, 7> starts{{{wanted_.omega, start_alpha},
                                       {wanted_.omega, 0},
                                       {middle, start_alpha},
                                       {beside, start_alpha},
                                       {middle, 0},
                                       {0.5 * (middle + wanted_.omega), 0.5 * start_alpha},
                                       {0.5 * (middle + high_), start_alpha}}};
    for (const Point& start : starts) {
      const Point found = descend(inside(start), kRoughly);
      const double found_cost = cost(found);
      if (found_cost >= best_cost) continue;
      best = descend(found, kEnough);
      best_cost = cost(best);
    }
  }

  [[nodiscard]] Point search() {
    Point best = wanted_;
    double best_cost = kInfinity;
    const double step = std::numbers::pi / T_;
    const double nearest = std::round(wanted_.omega / step);
    const bool at_barrier =
        nearest >= 1 && std::abs(wanted_.omega - nearest * step) < kAtBarrier * step;
    if (at_barrier) {
      search_interval((nearest - 0.5) * step, best, best_cost);
      search_interval((nearest + 0.5) * step, best, best_cost);
    } else {
      search_interval(wanted_.omega, best, best_cost);
    }
    return best;
  }

 private:
  using Row = std::array<double, 2>;
  using Jacobian = std::array<Row, 3>;

  void set_interval(double omega) {
    const double step = std::numbers::pi / T_;
    const double k = std::max(0.0, std::floor(omega / step));
    low_ = k == 0 ? -kInfinity : (k + kMargin) * step;
    high_ = (k + 1 - kMargin) * step;
  }

  [[nodiscard]] Point inside(Point p) const {
    p.alpha = std::clamp(p.alpha, 0.0, kMostDampingGrowth / T_ + std::max(0.0, -p.omega));
    p.omega = std::clamp(p.omega, low_, high_);
    if (p.omega < 0) p.omega = std::max(p.omega, -p.alpha);  // λ² = α² − σ² ≥ 0
    return p;
  }

  [[nodiscard]] std::array<double, 3> residuals(const Point& p, Jacobian* jacobian) const {
    const double kappa = p.omega * std::abs(p.omega);
    const EndFunctions f = end_functions(kappa, T_);
    const double growth = zT_ == 0 ? 0 : zT_ * std::exp(p.alpha * T_ - f.exponent);
    // Huang et al. 2011, eq. 14 in the closed form above: ż(0).
    const double start = -z0_ * (p.alpha + f.C / f.S) + growth / f.S;
    if (jacobian != nullptr) {
      const double by_alpha = -z0_ + T_ * growth / f.S;
      const double by_kappa = (-z0_ * (f.dC * f.S - f.C * f.dS) - growth * f.dS) / (f.S * f.S);
      *jacobian = {{{velocity_ * by_kappa * 2 * std::abs(p.omega), velocity_ * by_alpha},
                    {frequency_, 0},
                    {0, damping_}}};
    }
    return {velocity_ * start, frequency_ * (p.omega - wanted_.omega),
            damping_ * (p.alpha - wanted_.alpha)};
  }

  /// JᵀJ = [a b; b c] and Jᵀr = (g, h).
  struct Normal {
    double a = 0, b = 0, c = 0, g = 0, h = 0;
  };
  [[nodiscard]] Normal normal_equations(const Point& p) const {
    Jacobian J;
    const std::array<double, 3> r = residuals(p, &J);
    Normal n;
    for (int i = 0; i < 3; ++i) {
      n.a += J[i][0] * J[i][0];
      n.b += J[i][0] * J[i][1];
      n.c += J[i][1] * J[i][1];
      n.g += J[i][0] * r[i];
      n.h += J[i][1] * r[i];
    }
    // A number at its bound that wants further out stays, and the other goes on alone.
    const bool alpha_stays = p.alpha <= 0 && n.h > 0;
    const bool omega_stays = (p.omega >= high_ && n.g < 0) || (p.omega <= low_ && n.g > 0);
    if (alpha_stays || omega_stays) n.b = 0;
    if (alpha_stays) n.h = 0;
    if (omega_stays) n.g = 0;
    return n;
  }

  [[nodiscard]] Point descend(Point p, double enough) const {
    double now = cost(p);
    double mu = 1e-3;
    for (int step = 0; step < kMostSteps; ++step) {
      const Normal n = normal_equations(p);
      double gain = -1;
      for (; gain < 0 && mu < kMostDamping; mu *= gain < 0 ? 4 : 0.3) {
        const double a = n.a * (1 + mu) + kTiny;
        const double c = n.c * (1 + mu) + kTiny;
        const double determinant = a * c - n.b * n.b;
        const Point next = inside({p.omega - (c * n.g - n.b * n.h) / determinant,
                                   p.alpha - (a * n.h - n.b * n.g) / determinant});
        const double there = cost(next);
        if (!(there < now)) continue;
        gain = now - there;
        p = next;
        now = there;
      }
      if (gain <= enough * now) break;
    }
    return p;
  }

  Point wanted_;
  double T_;
  double velocity_, frequency_, damping_;  // √γ
  double z0_ = 0, zT_ = 0;
  double low_ = -kInfinity, high_ = kInfinity;
};

}  // namespace

Swing adjusted_swing(const Swing& wanted, double z0, double zT, double duration,
                     const AdjustmentWeights& weights) {
  const bool still = z0 == 0 && zT == 0;
  if (still || weights.velocity <= 0 || wanted.stiffness() <= 0) return wanted;
  const Point best = Adjustment(wanted, z0, zT, duration, weights).search();
  return {best.omega * std::abs(best.omega), best.alpha};
}

double adjustment_cost(const Swing& swing, const Swing& wanted, double z0, double zT,
                       double duration, const AdjustmentWeights& weights) {
  return Adjustment(wanted, z0, zT, duration, weights)
      .cost({signed_omega(swing.kappa), swing.alpha});
}

}  // namespace limber
