#include "limber/study/within_subjects.h"

#include <cmath>
#include <limits>

#include "limber/study/distributions.h"

namespace limber::study {

namespace {

Eigen::MatrixXd kronecker(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd result(a.rows() * b.rows(), a.cols() * b.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      result.block(i * b.rows(), j * b.cols(), b.rows(), b.cols()) = a(i, j) * b;
    }
  }
  return result;
}

AnovaEffect effect_of(const Eigen::MatrixXd& values, const Eigen::MatrixXd& contrasts) {
  const Eigen::MatrixXd scores = values * contrasts;  // subjects×d
  const auto subjects = static_cast<double>(scores.rows());
  const auto d = static_cast<double>(scores.cols());
  const Eigen::RowVectorXd mean = scores.colwise().mean();
  const Eigen::MatrixXd scatter = scores.rowwise() - mean;
  const Eigen::MatrixXd covariance = scatter.transpose() * scatter / (subjects - 1);
  AnovaEffect effect;
  effect.numerator = d;
  effect.denominator = d * (subjects - 1);
  const double between = subjects * mean.squaredNorm() / d;
  const double error = scatter.squaredNorm() / effect.denominator;
  // Nobody differs: an effect without any scatter is certain, none is none.
  const double tiny = 1e-24 * (1 + values.squaredNorm());
  if (error <= tiny) {
    effect.F = between > tiny ? std::numeric_limits<double>::infinity() : 0;
    effect.p = effect.corrected_p = between > tiny ? 0 : 1;
    return effect;
  }
  effect.F = between / error;
  effect.p = f_tail(effect.F, effect.numerator, effect.denominator);
  const double trace = covariance.trace();
  effect.epsilon = trace * trace / (d * covariance.squaredNorm());
  effect.corrected_p =
      f_tail(effect.F, effect.epsilon * effect.numerator, effect.epsilon * effect.denominator);
  return effect;
}

}  // namespace

Eigen::MatrixXd orthonormal_contrasts(int levels) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(levels, levels - 1);
  for (int j = 1; j < levels; ++j) {
    const double scale = 1 / std::sqrt(j * (j + 1.0));
    result.col(j - 1).head(j).setConstant(-scale);
    result(j, j - 1) = j * scale;
  }
  return result;
}

std::vector<AnovaEffect> within_subjects_anova(const Eigen::MatrixXd& values,
                                               const std::vector<int>& levels) {
  std::vector<AnovaEffect> effects;
  const auto factors = static_cast<unsigned>(levels.size());
  for (unsigned subset = 0; subset < (1U << factors); ++subset) {
    Eigen::MatrixXd contrasts = Eigen::MatrixXd::Ones(1, 1);
    std::vector<int> members;
    for (unsigned f = 0; f < factors; ++f) {
      const int count = levels[f];
      const bool inside = ((subset >> f) & 1U) != 0;
      if (inside) members.push_back(static_cast<int>(f));
      contrasts = kronecker(contrasts, inside ? orthonormal_contrasts(count)
                                              : Eigen::MatrixXd(Eigen::VectorXd::Constant(
                                                    count, 1 / std::sqrt(count))));
    }
    effects.push_back(effect_of(values, contrasts));
    effects.back().factors = members;
  }
  return effects;
}

}  // namespace limber::study
