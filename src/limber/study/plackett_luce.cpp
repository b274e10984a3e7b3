#include "limber/study/plackett_luce.h"

#include <cmath>

#include "limber/study/ascent.h"

namespace limber::study {

double log_likelihood(const Ranking& ranking, const Eigen::VectorXd& beta,
                      Eigen::VectorXd* gradient, Eigen::MatrixXd* hessian) {
  const Eigen::Index items = ranking.X.rows();
  const Eigen::VectorXd v = ranking.X * beta;
  double sum = 0;
  for (Eigen::Index first = 0; first + 1 < items; ++first) {  // of the last there is no choice
    const Eigen::Index left = items - first;
    const double highest = v.tail(left).maxCoeff();
    const Eigen::VectorXd weight = (v.tail(left).array() - highest).exp();
    const double total = weight.sum();
    sum += v[first] - highest - std::log(total);
    if (gradient == nullptr) continue;
    const Eigen::MatrixXd X = ranking.X.bottomRows(left);
    const Eigen::VectorXd share = weight / total;
    const Eigen::VectorXd mean = X.transpose() * share;
    *gradient += ranking.X.row(first).transpose() - mean;
    if (hessian != nullptr) {
      *hessian -= X.transpose() * share.asDiagonal() * X - mean * mean.transpose();
    }
  }
  return sum;
}

PlackettLuceFit fit_plackett_luce(const std::vector<Ranking>& rankings, int groups) {
  const Eigen::Index p = rankings.front().X.cols();
  const auto objective = [&](const Eigen::VectorXd& beta, Eigen::VectorXd* gradient,
                             Eigen::MatrixXd* hessian) {
    if (gradient != nullptr) gradient->setZero(p);
    if (hessian != nullptr) hessian->setZero(p, p);
    double sum = 0;
    for (const Ranking& ranking : rankings) sum += log_likelihood(ranking, beta, gradient, hessian);
    return sum;
  };
  const Ascent found = maximise(objective, Eigen::VectorXd::Zero(p));
  PlackettLuceFit fit;
  fit.beta = found.x;
  fit.log_likelihood = found.value;
  fit.converged = found.converged;
  fit.covariance = (-found.hessian).inverse();
  std::vector<Eigen::VectorXd> scores(static_cast<std::size_t>(groups), Eigen::VectorXd::Zero(p));
  for (const Ranking& ranking : rankings) {
    (void)log_likelihood(ranking, fit.beta, &scores[static_cast<std::size_t>(ranking.group)]);
  }
  Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(p, p);
  for (const Eigen::VectorXd& score : scores) spread += score * score.transpose();
  const double few = groups > 1 ? groups / (groups - 1.0) : 1;
  fit.robust_covariance = few * fit.covariance * spread * fit.covariance;
  constexpr double kEndless = 12;  // a worth of e^12 times another's: it never lost
  fit.separated = fit.beta.cwiseAbs().maxCoeff() > kEndless || !fit.covariance.allFinite() ||
                  fit.covariance.diagonal().minCoeff() <= 0;
  return fit;
}

}  // namespace limber::study
