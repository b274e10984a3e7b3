#include "limber/study/design.h"

#include <algorithm>
#include <cmath>

#include "limber/study/distributions.h"

namespace limber::study {

Design::Design(std::vector<Factor> factors, std::vector<Term> terms, bool intercept)
    : factors_(std::move(factors)), terms_(std::move(terms)), intercept_(intercept) {
  if (intercept_) names_.push_back("all");
  for (const Term& term : terms_) {
    for (std::string& name : column_names(term, factors_)) names_.push_back(std::move(name));
  }
}

Eigen::VectorXd Design::row(const std::vector<int>& levels) const {
  Eigen::VectorXd row(size());
  Eigen::Index next = 0;
  if (intercept_) row[next++] = 1;
  for (const Term& term : terms_) {
    const Eigen::VectorXd part = columns(term, factors_, levels);
    row.segment(next, part.size()) = part;
    next += part.size();
  }
  return row;
}

std::vector<Estimate> Design::estimates(const Eigen::VectorXd& beta,
                                        const Eigen::MatrixXd& covariance) const {
  std::vector<Estimate> result;
  for (Eigen::Index k = 0; k < size(); ++k) {
    const double error = std::sqrt(covariance(k, k));
    result.push_back(
        {names_[static_cast<std::size_t>(k)], beta[k], error, normal_two_sided(beta[k] / error)});
  }
  return result;
}

std::vector<Test> Design::likelihood_ratios(
    double log_likelihood, const std::function<double(const Design&)>& without) const {
  std::vector<Test> tests;
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    std::vector<Term> others = terms_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    Test test;
    test.name = name_of(terms_[k], factors_);
    test.statistic =
        std::max(0.0, 2 * (log_likelihood - without(Design(factors_, others, intercept_))));
    test.freedom = static_cast<double>(column_names(terms_[k], factors_).size());
    test.p = chi_squared_tail(test.statistic, test.freedom);
    tests.push_back(test);
  }
  return tests;
}

Prediction predict(const Eigen::VectorXd& row, const Eigen::VectorXd& beta,
                   const Eigen::MatrixXd& covariance) {
  return {row.dot(beta), std::sqrt(std::max(0.0, row.dot(covariance * row)))};
}

}  // namespace limber::study
