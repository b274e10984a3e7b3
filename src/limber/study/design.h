// The columns of a regression, term by term, and what is asked of its fit.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <string>
#include <vector>

#include "limber/study/analysis.h"
#include "limber/study/terms.h"

namespace limber::study {

class Design {
 public:
  /// `intercept`: a column of ones before the terms.
  Design(std::vector<Factor> factors, std::vector<Term> terms, bool intercept);

  [[nodiscard]] Eigen::VectorXd row(const std::vector<int>& levels) const;
  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(names_.size()); }
  [[nodiscard]] const std::vector<Factor>& factors() const { return factors_; }
  [[nodiscard]] const std::vector<Term>& terms() const { return terms_; }
  [[nodiscard]] std::vector<Estimate> estimates(const Eigen::VectorXd& beta,
                                                const Eigen::MatrixXd& covariance) const;
  /// Twice the likelihood that each term adds to all others; `without(design)` fits without it.
  [[nodiscard]] std::vector<Test> likelihood_ratios(
      double log_likelihood, const std::function<double(const Design&)>& without) const;

 private:
  std::vector<Factor> factors_;
  std::vector<Term> terms_;
  bool intercept_;
  std::vector<std::string> names_;
};

/// The linear predictor of a row and its standard error.
struct Prediction {
  double value = 0, error = 0;
};
[[nodiscard]] Prediction predict(const Eigen::VectorXd& row, const Eigen::VectorXd& beta,
                                 const Eigen::MatrixXd& covariance);

inline constexpr double kNormal95 = 1.959963984540054;  ///< of a two-sided interval of 95 %

}  // namespace limber::study
