// Ranks by the model of Plackett and Luce (Plackett 1975, "The analysis of permutations"): the best
// of a set is chosen with probability e^v / Σ e^v, the next from what is left, and so on, with
// v = xᵀβ by what the items are.
//
// Standard errors from the observed information, and robust ones that let the sets of one
// participant be alike (sandwich by participant, with N / (N − 1)).
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace limber::study {

struct Ranking {
  Eigen::MatrixXd X;  ///< items×p, the best item first
  int group = 0;      ///< participant, from 0
};

struct PlackettLuceFit {
  Eigen::VectorXd beta;
  Eigen::MatrixXd covariance;         ///< p×p
  Eigen::MatrixXd robust_covariance;  ///< p×p
  double log_likelihood = 0;
  bool converged = false;
  bool separated = false;  ///< an item always won or always lost: estimates run off to infinity
};

[[nodiscard]] double log_likelihood(const Ranking& ranking, const Eigen::VectorXd& beta,
                                    Eigen::VectorXd* gradient = nullptr,
                                    Eigen::MatrixXd* hessian = nullptr);
[[nodiscard]] PlackettLuceFit fit_plackett_luce(const std::vector<Ranking>& rankings, int groups);

}  // namespace limber::study
