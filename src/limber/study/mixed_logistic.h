// Logistic regression with a random intercept for each participant: answers of one person are more
// alike than those of two.
//
//   y_r ~ Binomial(n_r, p_r),  logit p_r = x_rᵀβ + σ z_g(r),  z_g ~ N(0, 1)
//
// The integral over each z_g by adaptive Gauss–Hermite quadrature about its mode (Pinheiro & Bates
// 1995, "Approximations to the log-likelihood function in the nonlinear mixed-effects model"), so
// that one node is Laplace's approximation. Gradient and Hessian of the marginal likelihood as
// posterior moments of the complete one (Louis 1982). σ and −σ mean the same: the search is over
// all of ℝ.
//
// Symbols: β (p) fixed effects, σ standard deviation of the intercepts, X (rows×p), g groups.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace limber::study {

struct LogisticData {
  Eigen::MatrixXd X;
  Eigen::VectorXd successes;
  Eigen::VectorXd trials;
  std::vector<int> group;  ///< of each row, from 0
  int groups = 0;
};

struct LogisticFit {
  Eigen::VectorXd beta;
  Eigen::MatrixXd covariance;  ///< p×p, inverse of the observed information
  double sigma = 0;
  double log_likelihood = 0;
  bool converged = false;
  /// Somebody or some condition always answered alike: estimates run off to infinity, and p values
  /// of Wald's kind mean nothing.
  bool separated = false;
};

inline constexpr int kQuadratureNodes = 25;

/// `gradient` (p + 1, σ last) and `hessian` where not null.
[[nodiscard]] double log_likelihood(const LogisticData& data, const Eigen::VectorXd& beta,
                                    double sigma, Eigen::VectorXd* gradient = nullptr,
                                    Eigen::MatrixXd* hessian = nullptr,
                                    int nodes = kQuadratureNodes);
[[nodiscard]] LogisticFit fit_mixed_logistic(const LogisticData& data,
                                             int nodes = kQuadratureNodes);

struct Quadrature {
  Eigen::VectorXd nodes, weights;  ///< ∫ f(t) dt ≈ Σ w f(t), exact for e^{−t²} times polynomials
};
/// Nodes by the eigenvalues of the Jacobi matrix (Golub & Welsch 1969); weights by Christoffel's
/// sum of squared Hermite functions, which keeps the smallest ones accurate.
[[nodiscard]] Quadrature gauss_hermite(int nodes);

}  // namespace limber::study
