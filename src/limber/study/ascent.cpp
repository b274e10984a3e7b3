#include "limber/study/ascent.h"

#include <algorithm>
#include <cmath>

namespace limber::study {

namespace {

/// (−H + μ1)⁻¹ g with the least μ of a row that makes it positive definite.
Eigen::VectorXd uphill_step(const Eigen::MatrixXd& hessian, const Eigen::VectorXd& gradient) {
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(gradient.size(), gradient.size());
  const double size = std::max(1.0, hessian.cwiseAbs().maxCoeff());
  for (double mu = 0;; mu = std::max(1e-10 * size, 10 * mu)) {
    const Eigen::LLT<Eigen::MatrixXd> factor(-hessian + mu * unit);
    if (factor.info() == Eigen::Success || mu > 1e6 * size) return factor.solve(gradient);
  }
}

}  // namespace

Ascent maximise(const Objective& objective, const Eigen::VectorXd& start) {
  constexpr int kMostIterations = 200;
  constexpr double kPromise = 1e-12;
  constexpr double kLongest = 4;  // of a step: logits change no faster
  Ascent here;
  here.x = start;
  Eigen::VectorXd gradient;
  here.value = objective(here.x, &gradient, &here.hessian);
  for (int iteration = 0; iteration < kMostIterations && !here.converged; ++iteration) {
    Eigen::VectorXd step = uphill_step(here.hessian, gradient);
    const double promise = gradient.dot(step);
    if (!(promise > kPromise)) {
      here.converged = std::isfinite(promise);
      break;
    }
    const double length = step.cwiseAbs().maxCoeff();
    if (length > kLongest) step *= kLongest / length;
    double value = objective(here.x + step, nullptr, nullptr);
    for (int halving = 0; !(value > here.value) && halving < 60; ++halving) {
      step /= 2;
      value = objective(here.x + step, nullptr, nullptr);
    }
    if (!(value > here.value)) {  // rounding errors are all that is left
      here.converged = promise < 1e-6;
      break;
    }
    here.x += step;
    here.value = objective(here.x, &gradient, &here.hessian);
  }
  return here;
}

}  // namespace limber::study
