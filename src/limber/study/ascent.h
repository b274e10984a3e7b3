// Newton's method uphill, for likelihoods of a few parameters.
#pragma once

#include <Eigen/Dense>
#include <functional>

namespace limber::study {

/// Value at x, with gradient and Hessian where not null.
using Objective = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd* gradient,
                                       Eigen::MatrixXd* hessian)>;

struct Ascent {
  Eigen::VectorXd x;
  double value = 0;
  Eigen::MatrixXd hessian;  ///< at x
  bool converged = false;
};

/// Steps are shortened until the value rises, and where the Hessian is not negative definite, a
/// multiple of the identity is taken off it (Levenberg). Ends when Newton's step promises less than
/// 1e-12 in value.
[[nodiscard]] Ascent maximise(const Objective& objective, const Eigen::VectorXd& start);

}  // namespace limber::study
