#include "limber/study/plackett_luce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace limber::study {
namespace {

/// Four items: two factors at ±½ and their product.
Eigen::MatrixXd four_items() {
  Eigen::MatrixXd X(4, 3);
  X << -0.5, -0.5, 0.25, -0.5, 0.5, -0.25, 0.5, -0.5, -0.25, 0.5, 0.5, 0.25;
  return X;
}

Ranking ordered(const Eigen::MatrixXd& X, const std::vector<int>& order, int group = 0) {
  Ranking ranking{X, group};
  for (std::size_t k = 0; k < order.size(); ++k) {
    ranking.X.row(static_cast<Eigen::Index>(k)) = X.row(order[k]);
  }
  return ranking;
}

/// The largest of v + Gumbel noise is chosen with probability e^v / Σ e^v, and so on for the rest.
std::vector<int> drawn_order(const Eigen::VectorXd& v, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(1e-12, 1);
  std::vector<double> noisy;
  for (const double value : v) noisy.push_back(value - std::log(-std::log(uniform(random))));
  std::vector<int> order(noisy.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return noisy[a] > noisy[b]; });
  return order;
}

TEST(PlackettLuce, ProbabilitiesOfAllOrdersSumToOne) {
  const Eigen::Vector3d beta(0.7, -1.1, 0.4);
  std::vector<int> order{0, 1, 2, 3};
  double sum = 0;
  do {
    sum += std::exp(log_likelihood(ordered(four_items(), order), beta));
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_NEAR(sum, 1, 1e-14);
}

TEST(PlackettLuce, DerivativesAreDifferences) {
  const Ranking ranking = ordered(four_items(), {2, 0, 3, 1});
  const Eigen::Vector3d beta(0.7, -1.1, 0.4);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(3);
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(3, 3);
  (void)log_likelihood(ranking, beta, &gradient, &hessian);
  const double h = 1e-5;
  for (int k = 0; k < 3; ++k) {
    Eigen::Vector3d up = beta, down = beta;
    up[k] += h;
    down[k] -= h;
    Eigen::VectorXd above = Eigen::VectorXd::Zero(3), below = above;
    const double high = log_likelihood(ranking, up, &above);
    const double low = log_likelihood(ranking, down, &below);
    EXPECT_NEAR(gradient[k], (high - low) / (2 * h), 1e-9);
    EXPECT_NEAR((hessian.col(k) - (above - below) / (2 * h)).cwiseAbs().maxCoeff(), 0, 1e-8);
  }
}

TEST(PlackettLuce, OfTwoItemsItIsTheLogitOfTheShare) {
  Eigen::MatrixXd pair(2, 1);
  pair << -0.5, 0.5;
  std::vector<Ranking> rankings;
  for (int k = 0; k < 40; ++k) {
    rankings.push_back(ordered(pair, k < 30 ? std::vector<int>{1, 0} : std::vector<int>{0, 1}, k));
  }
  const PlackettLuceFit fit = fit_plackett_luce(rankings, 40);
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.beta[0], std::log(3.0), 1e-8);
  EXPECT_NEAR(fit.covariance(0, 0), 1 / (40 * 0.75 * 0.25), 1e-8);
  // One answer each: the scores' scatter is the information, but for N / (N − 1).
  EXPECT_NEAR(fit.robust_covariance(0, 0), fit.covariance(0, 0) * 40 / 39, 1e-8);
}

TEST(PlackettLuce, FindsKnownPreferencesAgain) {
  const Eigen::Vector3d truth(1.0, 0.5, -0.6);
  const Eigen::VectorXd v = four_items() * truth;
  std::mt19937 random(7);
  int inside = 0;
  constexpr int kStudies = 100;
  for (int study = 0; study < kStudies; ++study) {
    std::vector<Ranking> rankings;
    for (int person = 0; person < 40; ++person) {
      rankings.push_back(ordered(four_items(), drawn_order(v, random), person));
    }
    const PlackettLuceFit fit = fit_plackett_luce(rankings, 40);
    ASSERT_TRUE(fit.converged);
    inside += std::abs(fit.beta[0] - truth[0]) < 1.96 * std::sqrt(fit.covariance(0, 0)) ? 1 : 0;
  }
  EXPECT_GE(inside, 87);  // 95 ± 2.2 expected: 3.5 deviations below
}

TEST(PlackettLuce, SaysWhenOneAlwaysWon) {
  Eigen::MatrixXd pair(2, 1);
  pair << -0.5, 0.5;
  const std::vector<Ranking> rankings(12, ordered(pair, {1, 0}));
  EXPECT_TRUE(fit_plackett_luce(rankings, 12).separated);
}

}  // namespace
}  // namespace limber::study
