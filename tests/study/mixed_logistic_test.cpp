#include "limber/study/mixed_logistic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber::study {
namespace {

double probability(double eta) { return 1 / (1 + std::exp(-eta)); }

/// People with an intercept of their own; the second column alternates between −½ and ½.
LogisticData simulated(int people, int answers, const Eigen::Vector2d& beta, double sigma,
                       unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  LogisticData data;
  data.groups = people;
  data.X.resize(people * answers, 2);
  data.successes.resize(people * answers);
  data.trials.setOnes(people * answers);
  for (int person = 0, row = 0; person < people; ++person) {
    const double z = normal(random);
    for (int k = 0; k < answers; ++k, ++row) {
      data.X.row(row) << 1, k % 2 == 0 ? -0.5 : 0.5;
      data.group.push_back(person);
      data.successes[row] =
          uniform(random) < probability(data.X.row(row).dot(beta) + sigma * z) ? 1 : 0;
    }
  }
  return data;
}

/// The likelihood as it is written, each integral by the trapezoidal rule over ±12 deviations,
/// which converges faster than any power for such integrands.
double brute_force(const LogisticData& data, const Eigen::VectorXd& beta, double sigma) {
  double total = 0;
  for (int g = 0; g < data.groups; ++g) {
    double integral = 0;
    constexpr int kPoints = 800;
    for (int k = 0; k <= kPoints; ++k) {
      const double z = -12 + 24.0 * k / kPoints;
      double product = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
      for (std::size_t r = 0; r < data.group.size(); ++r) {
        if (data.group[r] != g) continue;
        const auto row = static_cast<Eigen::Index>(r);
        const double p = probability(data.X.row(row).dot(beta) + sigma * z);
        product *= std::pow(p, data.successes[row]) *
                   std::pow(1 - p, data.trials[row] - data.successes[row]);
      }
      integral += product * 24.0 / kPoints;
    }
    total += std::log(integral);
  }
  return total;
}

TEST(GaussHermite, IntegratesPolynomialsOfTwiceItsOrder) {
  const Quadrature rule = gauss_hermite(5);  // exact up to degree 9
  const Eigen::ArrayXd t = rule.nodes.array(), w = rule.weights.array() * (-t.square()).exp();
  EXPECT_NEAR(w.sum(), std::sqrt(M_PI), 1e-13);
  EXPECT_NEAR((w * t.pow(8)).sum(), std::sqrt(M_PI) * 105 / 16, 1e-11);
}

TEST(MixedLogistic, LikelihoodIsTheIntegral) {
  const LogisticData data = simulated(6, 8, {0.5, 1.0}, 1.2, 3);
  const Eigen::Vector2d beta(0.4, -0.6);
  for (const double sigma : {0.0, 0.3, 1.0}) {
    EXPECT_NEAR(log_likelihood(data, beta, sigma), brute_force(data, beta, sigma), 1e-8);
  }
  // Far from a normal shape more nodes are needed: the error falls with them, down to rounding.
  const double exact = brute_force(data, beta, 2.5);
  double last = 1;
  for (const int nodes : {1, 5, 25, 81}) {
    const double error = std::abs(log_likelihood(data, beta, 2.5, nullptr, nullptr, nodes) - exact);
    EXPECT_LT(error, last);
    last = error;
  }
  EXPECT_LT(last, 1e-9);
}

TEST(MixedLogistic, DerivativesAreDifferences) {
  LogisticData data = simulated(5, 6, {0.5, 1.0}, 1.2, 5);
  data.trials *= 3;  // counts as well as single answers
  const Eigen::Vector3d x(0.3, -0.4, 0.8);
  Eigen::VectorXd gradient, above, below;
  Eigen::MatrixXd hessian;
  (void)log_likelihood(data, x.head(2), x[2], &gradient, &hessian);
  const double h = 1e-5;  // central differences: error h² of third derivatives of order 10
  for (int k = 0; k < 3; ++k) {
    Eigen::Vector3d up = x, down = x;
    up[k] += h;
    down[k] -= h;
    const double high = log_likelihood(data, up.head(2), up[2], &above);
    const double low = log_likelihood(data, down.head(2), down[2], &below);
    EXPECT_NEAR(gradient[k], (high - low) / (2 * h), 1e-7);
    EXPECT_NEAR((hessian.col(k) - (above - below) / (2 * h)).cwiseAbs().maxCoeff(), 0, 1e-6);
  }
}

TEST(MixedLogistic, WithoutSpreadItIsTheLogitOfTheMean) {
  LogisticData data;
  data.groups = 10;
  data.X = Eigen::MatrixXd::Ones(10, 1);
  data.successes = Eigen::VectorXd::Constant(10, 3);
  data.trials = Eigen::VectorXd::Constant(10, 4);
  for (int g = 0; g < 10; ++g) data.group.push_back(g);
  const LogisticFit fit = fit_mixed_logistic(data);
  EXPECT_TRUE(fit.converged);
  EXPECT_FALSE(fit.separated);
  EXPECT_NEAR(fit.beta[0], std::log(3.0), 1e-5);
  EXPECT_LT(fit.sigma, 1e-2);
  EXPECT_NEAR(fit.covariance(0, 0), 1 / (40 * 0.75 * 0.25), 1e-4);  // 1 / Σ n p (1 − p)
}

TEST(MixedLogistic, FindsKnownPreferencesAgain) {
  const Eigen::Vector2d truth(0.8, -1.0);
  int inside = 0;
  constexpr int kStudies = 60;
  for (unsigned study = 0; study < kStudies; ++study) {
    const LogisticFit fit = fit_mixed_logistic(simulated(60, 8, truth, 1.0, 100 + study), 9);
    ASSERT_TRUE(fit.converged);
    inside += std::abs(fit.beta[0] - truth[0]) < 1.96 * std::sqrt(fit.covariance(0, 0)) ? 1 : 0;
  }
  // Of 60 intervals of 95 %, 57 ± 1.7 hold the truth: 51 is 3.5 deviations below.
  EXPECT_GE(inside, 51);
  EXPECT_LT(inside, kStudies + 1);
}

TEST(MixedLogistic, SaysWhenEverybodyAnsweredAlike) {
  LogisticData data = simulated(8, 6, {0, 0}, 0, 1);
  data.successes.setOnes();
  EXPECT_TRUE(fit_mixed_logistic(data).separated);
}

}  // namespace
}  // namespace limber::study
