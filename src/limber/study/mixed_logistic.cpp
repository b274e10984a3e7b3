#include "limber/study/mixed_logistic.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/study/ascent.h"

namespace limber::study {

namespace {

/// log(1 + e^η) without overflow.
double softplus(double eta) { return std::max(eta, 0.0) + std::log1p(std::exp(-std::abs(eta))); }
double logistic(double eta) { return 1 / (1 + std::exp(-eta)); }

/// The rows of one participant.
struct Group {
  std::vector<int> rows;
  const LogisticData* data;
  Eigen::VectorXd fixed;  // Xβ of the rows
  double sigma;

  /// h(z): the complete log-likelihood, without the constant of the normal density.
  [[nodiscard]] double at(double z) const {
    double sum = -z * z / 2;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double eta = fixed[static_cast<Eigen::Index>(k)] + sigma * z;
      sum += data->successes[rows[k]] * eta - data->trials[rows[k]] * softplus(eta);
    }
    return sum;
  }

  /// −h″(z) at the mode of h, which is found by Newton's method: h is strictly concave.
  double mode(double& z) const {
    z = 0;
    double curvature = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double slope = -z;
      curvature = 1;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const double p = logistic(fixed[static_cast<Eigen::Index>(k)] + sigma * z);
        slope += sigma * (data->successes[rows[k]] - data->trials[rows[k]] * p);
        curvature += sigma * sigma * data->trials[rows[k]] * p * (1 - p);
      }
      double step = slope / curvature;
      const double here = at(z);
      while (std::abs(step) > 1e-12 && at(z + step) < here) step /= 2;
      z += step;
      if (std::abs(step) < 1e-12) break;
    }
    return curvature;
  }
};

std::vector<Group> groups_of(const LogisticData& data, const Eigen::VectorXd& beta, double sigma) {
  std::vector<Group> groups(static_cast<std::size_t>(data.groups));
  for (std::size_t r = 0; r < data.group.size(); ++r) {
    groups[static_cast<std::size_t>(data.group[r])].rows.push_back(static_cast<int>(r));
  }
  for (Group& group : groups) {
    group.data = &data;
    group.sigma = sigma;
    group.fixed.resize(static_cast<Eigen::Index>(group.rows.size()));
    for (Eigen::Index k = 0; k < group.fixed.size(); ++k) {
      group.fixed[k] = data.X.row(group.rows[static_cast<std::size_t>(k)]).dot(beta);
    }
  }
  return groups;
}

/// First and second derivatives of the complete log-likelihood by (β, σ) at z.
void complete_derivatives(const Group& group, double z, Eigen::VectorXd& score,
                          Eigen::MatrixXd& curvature) {
  const Eigen::Index p = group.data->X.cols();
  score.setZero(p + 1);
  curvature.setZero(p + 1, p + 1);
  Eigen::VectorXd x(p + 1);
  for (std::size_t k = 0; k < group.rows.size(); ++k) {
    const int row = group.rows[k];
    const double n = group.data->trials[row];
    const double mean = logistic(group.fixed[static_cast<Eigen::Index>(k)] + group.sigma * z);
    x.head(p) = group.data->X.row(row);
    x[p] = z;
    score += (group.data->successes[row] - n * mean) * x;
    curvature -= n * mean * (1 - mean) * x * x.transpose();
  }
}

}  // namespace

Quadrature gauss_hermite(int nodes) {
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(nodes, nodes);
  for (int k = 1; k < nodes; ++k) jacobi(k, k - 1) = jacobi(k - 1, k) = std::sqrt(k / 2.0);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(jacobi, Eigen::EigenvaluesOnly);
  Quadrature rule{solver.eigenvalues(), Eigen::VectorXd(nodes)};
  for (int k = 0; k < nodes; ++k) {
    const double t = rule.nodes[k];
    double before = 0, here = std::pow(M_PI, -0.25) * std::exp(-t * t / 2), sum = here * here;
    for (int j = 1; j < nodes; ++j) {
      before =
          std::exchange(here, t * std::sqrt(2.0 / j) * here - std::sqrt((j - 1.0) / j) * before);
      sum += here * here;
    }
    rule.weights[k] = 1 / sum;
  }
  return rule;
}

double log_likelihood(const LogisticData& data, const Eigen::VectorXd& beta, double sigma,
                      Eigen::VectorXd* gradient, Eigen::MatrixXd* hessian, int nodes) {
  const Quadrature rule = gauss_hermite(nodes);
  const Eigen::Index size = data.X.cols() + 1;
  if (gradient != nullptr) gradient->setZero(size);
  if (hessian != nullptr) hessian->setZero(size, size);
  Eigen::VectorXd score, mean_score;
  Eigen::MatrixXd curvature, moment;
  double total = 0;
  for (const Group& group : groups_of(data, beta, sigma)) {
    double mode = 0;
    const double width = std::sqrt(2 / group.mode(mode));
    const double peak = group.at(mode);
    Eigen::VectorXd mass(nodes);
    for (int k = 0; k < nodes; ++k) {
      const double t = rule.nodes[k];
      mass[k] = rule.weights[k] * std::exp(group.at(mode + width * t) - peak);
    }
    total += peak + std::log(width * mass.sum() / std::sqrt(2 * M_PI));
    if (gradient == nullptr) continue;
    mean_score.setZero(size);
    moment.setZero(size, size);
    for (int k = 0; k < nodes; ++k) {
      const double share = mass[k] / mass.sum();
      complete_derivatives(group, mode + width * rule.nodes[k], score, curvature);
      mean_score += share * score;
      moment += share * (curvature + score * score.transpose());
    }
    *gradient += mean_score;
    if (hessian != nullptr) *hessian += moment - mean_score * mean_score.transpose();  // Louis 1982
  }
  return total;
}

LogisticFit fit_mixed_logistic(const LogisticData& data, int nodes) {
  const Eigen::Index p = data.X.cols();
  const auto objective = [&](const Eigen::VectorXd& x, Eigen::VectorXd* gradient,
                             Eigen::MatrixXd* hessian) {
    return log_likelihood(data, x.head(p), x[p], gradient, hessian, nodes);
  };
  Eigen::VectorXd start = Eigen::VectorXd::Zero(p + 1);
  start[p] = 0.7;  // σ = 0 is stationary whatever the data: the search must not begin there
  const Ascent found = maximise(objective, start);
  LogisticFit fit;
  fit.beta = found.x.head(p);
  fit.sigma = std::abs(found.x[p]);
  fit.log_likelihood = found.value;
  fit.converged = found.converged;
  // Without an effect of σ its row of the Hessian may vanish: β is then by itself.
  const bool no_spread = fit.sigma < 1e-3;
  const Eigen::MatrixXd information = -found.hessian;
  fit.covariance = no_spread ? Eigen::MatrixXd(information.topLeftCorner(p, p).inverse())
                             : Eigen::MatrixXd(information.inverse().topLeftCorner(p, p));
  // A logit of 12 is 6 in a million: no study has seen so many answers.
  constexpr double kEndless = 12;
  fit.separated = (data.X * fit.beta).cwiseAbs().maxCoeff() > kEndless || fit.sigma > kEndless ||
                  !fit.covariance.allFinite() || fit.covariance.diagonal().minCoeff() <= 0;
  return fit;
}

}  // namespace limber::study
