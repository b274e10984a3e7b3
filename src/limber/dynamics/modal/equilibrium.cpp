#include "limber/dynamics/modal/equilibrium.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace limber {

namespace {

/// Solves Λ q = s f(q) for one share s of the load after the other.
class NewtonSolver {
 public:
  NewtonSolver(const Eigen::Ref<const Vector>& eigenvalues, const StaticLoads& loads,
               const SettleOptions& options)
      : eigenvalues_(eigenvalues), loads_(loads), options_(options) {}

  SettleStatus run(Vector& q) {
    constexpr double kSmallestIncrement = 1.0 / 4096;
    double reached = 0;
    double increment = first_increment(q);
    while (reached < 1 && increment >= kSmallestIncrement && left() > 0) {
      const double target = std::min(1.0, reached + increment);
      Vector trial = q;
      if (solve(target, trial)) {
        q = trial;
        reached = target;
        increment *= 2;
      } else {
        increment /= 2;
      }
    }
    const double residual = relative_residual(1, q);
    return {reached == 1 && residual <= options_.tolerance, iterations_, residual};
  }

 private:
  [[nodiscard]] int left() const { return options_.most_iterations - iterations_; }

  void evaluate(double share, const Vector& q, Eigen::MatrixXd* df) {
    f_.setZero(q.size());
    if (df != nullptr) df->setZero(q.size(), q.size());
    loads_.evaluate(q, f_, df);
    residual_ = share * f_ - eigenvalues_.cwiseProduct(q);
  }

  /// ‖s f − Λq‖ relative to the larger of both; zero where both vanish.
  double relative_residual(double share, const Vector& q) {
    evaluate(share, q, nullptr);
    const double scale = std::max(share * f_.norm(), eigenvalues_.cwiseProduct(q).norm());
    const double norm = residual_.norm();
    if (!std::isfinite(norm)) return std::numeric_limits<double>::infinity();
    return scale > 0 ? norm / scale : 0;
  }

  Vector newton_step(double share, const Vector& q) {
    evaluate(share, q, &df_);
    df_ *= -share;
    df_.diagonal() += eigenvalues_;
    ++iterations_;
    return df_.partialPivLu().solve(residual_);
  }

  /// The share of the load whose linear response turns no node by more than half a radian.
  double first_increment(const Vector& q) {
    constexpr double kTurn = 0.5;
    evaluate(1, q, nullptr);
    const double turn = loads_.largest_rotation(f_.cwiseQuotient(eigenvalues_));
    return turn > kTurn ? std::max(kTurn / turn, 1.0 / 256) : 1;
  }

  /// Newton's method for one share of the load; steps are halved until the residual shrinks.
  bool solve(double share, Vector& q) {
    constexpr int kMostSteps = 30;
    double residual = relative_residual(share, q);
    for (int i = 0; i < kMostSteps && left() > 0; ++i) {
      if (residual <= options_.tolerance) return polish(share, residual, q);
      const Vector step = newton_step(share, q);
      if (!step.allFinite() || !descend(share, step, residual, q)) return false;
    }
    return residual <= options_.tolerance;
  }

  bool descend(double share, const Vector& step, double& residual, Vector& q) {
    constexpr double kShortest = 1.0 / 64;
    for (double length = 1; length >= kShortest; length /= 2) {
      const Vector trial = q + length * step;
      const double value = relative_residual(share, trial);
      if (value < residual) {
        q = trial;
        residual = value;
        return true;
      }
    }
    return false;
  }

  /// One more step where the full load has converged: quadratic convergence makes it exact to
  /// rounding for the price of one iteration.
  bool polish(double share, double residual, Vector& q) {
    if (share == 1 && residual > 0 && left() > 0)
      descend(share, newton_step(share, q), residual, q);
    return true;
  }

  const Eigen::Ref<const Vector>& eigenvalues_;  // all three live as long as find_equilibrium()
  const StaticLoads& loads_;
  const SettleOptions& options_;
  Vector f_;
  Vector residual_;
  Eigen::MatrixXd df_;
  int iterations_ = 0;
};

}  // namespace

SettleStatus find_equilibrium(const Eigen::Ref<const Vector>& eigenvalues, const StaticLoads& loads,
                              const SettleOptions& options, Vector& q) {
  q.setZero(eigenvalues.size());
  return NewtonSolver(eigenvalues, loads, options).run(q);
}

}  // namespace limber
