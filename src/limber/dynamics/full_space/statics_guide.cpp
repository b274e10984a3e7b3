// Statics of stiffness warping, whose forces have no potential: the corotational method leads the
// way, being near and having one.
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/dynamics/full_space/statics.h"

namespace limber {

/// −∂r/∂x p by central differences. The step is a compromise between rounding (1e-16 / ε) and
/// curvature (ε²), ∛1e-16 of the body's size: both are then 1e-10 of the stiffest part, which the
/// softest, a millionth as stiff, can bear.
class Statics::ForceDifferences final : public LinearOperator {
 public:
  explicit ForceDifferences(Statics& statics) : statics_(statics), base_(statics.x_) {}

  void apply(const Vector& p, Vector& y) const override {
    const double largest = p.lpNorm<Eigen::Infinity>();
    if (!(largest > 0)) {
      y.setZero();
      return;
    }
    const double epsilon = 5e-6 * base_.cwiseAbs().maxCoeff() / largest;
    statics_.system_.mesh.add_scattered(-epsilon, p, statics_.x_);
    statics_.evaluate();
    y = statics_.r_;
    statics_.x_ = base_;
    statics_.system_.mesh.add_scattered(epsilon, p, statics_.x_);
    statics_.evaluate();
    y = (y - statics_.r_) / (2 * epsilon);
    statics_.x_ = base_;
  }

 private:
  Statics& statics_;
  Positions base_;
};

namespace {

class ByFactor final : public Preconditioner {
 public:
  explicit ByFactor(const Cholesky& factor) : factor_(factor) {}
  void apply(const Vector& r, Vector& z) const override {
    z = r;
    factor_.solve_in_place(z);
  }

 private:
  const Cholesky& factor_;
};

}  // namespace

/// Newton's direction where nobody wrote the tangent down: forces' differences stand for it, and
/// the guide's tangent is near enough to precondition them.
void Statics::find_direction_by_differences() {
  constexpr double kForcing = 1e-3;
  constexpr int kMost = 200;  // four restarts: what is not solved by then stagnates
  Vector residual = r_;
  const double goal = kForcing * residual.norm() / std::max(1.0, relative_);  // for soft parts too
  direction_.setZero();
  krylov_.conjugate_residuals(ForceDifferences(*this), ByFactor(*factor_), goal, kMost, direction_,
                              residual);
  evaluate();
}

/// What the residual would move, as work: Deuflhard's natural level function. In newtons stiff
/// parts would outweigh soft ones.
double Statics::level() const { return r_.dot(factor_->solve(r_).col(0)); }

/// Without a potential the residual has to fall.
bool Statics::search_by_level() {
  constexpr double kShortest = 0.05;
  const double start = level();
  base_ = x_;
  for (double s = 1; s > kShortest; s /= 2) {
    x_ = base_;
    system_.mesh.add_scattered(s, direction_, x_);
    evaluate();
    if (level() < start) return true;
  }
  x_ = base_;
  return false;
}

/// While this lives, the body has its guide's elasticity.
struct Statics::GuideInPlace {
  explicit GuideInPlace(Statics& owner) : statics(owner), own(std::move(owner.guide_)) {
    own.swap(statics.system_.elasticity);
    statics.guided_ = true;
  }
  ~GuideInPlace() {
    own.swap(statics.system_.elasticity);
    statics.guide_ = std::move(own);
    statics.guided_ = false;
  }
  GuideInPlace(const GuideInPlace&) = delete;
  GuideInPlace& operator=(const GuideInPlace&) = delete;

  Statics& statics;
  std::unique_ptr<Elasticity> own;
};

/// The guide's rest under the load and `ghost`.
bool Statics::settle_guide() {
  constexpr int kMostNewton = 30;
  const GuideInPlace guide_in_place(*this);
  most_iterations_ = iterations_ + options_.most_iterations;
  return ghost_.isZero(0) ? follow() : solve(kMostNewton);
}

/// Without a potential nothing says which way is down, and where parts differ much in stiffness the
/// residual says least. So the guide finds its rest with what its forces lack, by the method's, as
/// an outer load; at that rest the lack is found again, until Newton's method can do what is left.
bool Statics::follow_guide() {
  constexpr double kClose = 1e-2;  // relative residual from which Newton's method is tried
  constexpr int kMostNewton = 10;
  constexpr int kMostRests = 60;
  ghost_.setZero(x_.rows(), 3);
  double next_trial = std::numeric_limits<double>::infinity();
  double last = next_trial;
  double part = 1;
  for (int k = 0; k < kMostRests && settle_guide(); ++k) {
    load_ = 1;
    relative_ = evaluate();
    if (!std::isfinite(relative_)) return false;
    if (relative_ <= next_trial) {
      next_trial = std::min(kClose, relative_ / 4);
      const Positions guided_rest = x_;
      if (solve(kMostNewton)) return true;
      x_ = guided_rest;
      relative_ = evaluate();
    }
    if (relative_ > last) part /= 2;
    last = relative_;
    system_.mesh.add_scattered(part, r_, ghost_);
  }
  return false;
}

}  // namespace limber
