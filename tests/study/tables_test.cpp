// Analysis of variance and log-linear models against their textbook forms.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "limber/study/distributions.h"
#include "limber/study/log_linear.h"
#include "limber/study/terms.h"
#include "limber/study/within_subjects.h"

namespace limber::study {
namespace {

Eigen::MatrixXd random_values(int subjects, int cells) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd values(subjects, cells);
  for (double& value : values.reshaped()) value = normal(random);
  return values;
}

const AnovaEffect& effect(const std::vector<AnovaEffect>& effects,
                          const std::vector<int>& factors) {
  for (const AnovaEffect& one : effects) {
    if (one.factors == factors) return one;
  }
  throw std::logic_error("no such effect");
}

TEST(Anova, OfTwoLevelsIsThePairedTTest) {
  const Eigen::MatrixXd values = random_values(14, 2);
  const Eigen::VectorXd difference = values.col(1) - values.col(0);
  const double mean = difference.mean();
  const double variance = (difference.array() - mean).square().sum() / 13;
  const auto effects = within_subjects_anova(values, {2});
  EXPECT_NEAR(effect(effects, {0}).F, mean * mean / (variance / 14), 1e-10);
  EXPECT_EQ(effect(effects, {0}).denominator, 13);  // 14 people, not 27 halves of people
}

// Sums of squares of a two-way design as textbooks write them, by means of rows and columns.
TEST(Anova, OfTwoFactorsHasTheTextbookSums) {
  constexpr int kSubjects = 7;
  const Eigen::MatrixXd y = random_values(kSubjects, 6);  // a: 2 levels, b: 3, b fastest
  const double grand = y.mean();
  Eigen::VectorXd b = Eigen::VectorXd::Zero(3), s = y.rowwise().mean();
  Eigen::MatrixXd sb = Eigen::MatrixXd::Zero(kSubjects, 3);
  for (int level = 0; level < 3; ++level) {
    sb.col(level) = (y.col(level) + y.col(3 + level)) / 2;
    b[level] = sb.col(level).mean();
  }
  double effect_sum = 0, error_sum = 0;
  for (int level = 0; level < 3; ++level) {
    effect_sum += 2 * kSubjects * std::pow(b[level] - grand, 2);
    for (int i = 0; i < kSubjects; ++i) {
      error_sum += 2 * std::pow(sb(i, level) - b[level] - s[i] + grand, 2);
    }
  }
  const AnovaEffect found = effect(within_subjects_anova(y, {2, 3}), {1});
  EXPECT_EQ(found.numerator, 2);
  EXPECT_EQ(found.denominator, 12);
  EXPECT_NEAR(found.F, effect_sum / 2 / (error_sum / 12), 1e-10);
  EXPECT_NEAR(found.p, f_tail(found.F, 2, 12), 1e-15);
  EXPECT_GE(found.epsilon, 0.5);
  EXPECT_LE(found.epsilon, 1);
}

TEST(Anova, WithoutScatterIsCertainOrNothing) {
  const Eigen::MatrixXd same = Eigen::MatrixXd::Constant(4, 2, 0.3);
  EXPECT_EQ(effect(within_subjects_anova(same, {2}), {0}).p, 1);
  Eigen::MatrixXd shifted = same;
  shifted.col(1).setConstant(0.9);
  EXPECT_EQ(effect(within_subjects_anova(shifted, {2}), {0}).p, 0);
}

TEST(LogLinear, IndependenceOfTwoIsTheOldG2) {
  const CountTable table{{2, 3}, {10, 20, 5, 15, 5, 12}};
  const double rows[] = {35, 32}, columns[] = {25, 25, 17};
  double G2 = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double n = table.counts[static_cast<std::size_t>(3 * i + j)];
      G2 += 2 * n * std::log(n * 67 / (rows[i] * columns[j]));
    }
  }
  const Association found = partial_association(table, {0, 1});
  EXPECT_NEAR(found.G2, G2, 1e-8);
  EXPECT_EQ(found.freedom, 2);
}

TEST(LogLinear, ConditionalIndependenceHasItsClosedForm) {
  const CountTable table{{2, 2, 2}, {5, 9, 12, 4, 7, 8, 3, 11}};
  const auto expected = fitted_counts(table, {{0, 2}, {1, 2}});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t k = 0; k < 2; ++k) {
        const auto n = [&](std::size_t a, std::size_t b) {
          return table.counts[4 * a + 2 * b + k];
        };
        const double ik = n(i, 0) + n(i, 1), jk = n(0, j) + n(1, j);
        const double all = n(0, 0) + n(0, 1) + n(1, 0) + n(1, 1);
        EXPECT_NEAR(expected[4 * i + 2 * j + k], ik * jk / all, 1e-9);
      }
    }
  }
}

TEST(LogLinear, DegreesOfFreedomAreThoseOfThePaper) {
  // rank × material × model × quality: García et al. 2010 test rank × material × quality at 6.
  CountTable table{{4, 3, 2, 2}, std::vector<double>(48, 2.0)};
  table.counts[5] = 4;
  EXPECT_EQ(partial_association(table, {0, 1, 3}).freedom, 6);
  EXPECT_EQ(partial_association(table, {0, 2, 3}).freedom, 3);
}

TEST(Terms, CompareEachLevelWithTheFirst) {
  const std::vector<Factor> factors{{"model", {"global", "local"}}, {"stiffness", {"a", "b", "c"}}};
  EXPECT_EQ(columns({0}, factors, {1, 0})[0], 0.5);
  // Cell means made of an intercept and two differences give them back.
  for (int level = 0; level < 3; ++level) {
    const double value = 2 + columns({1}, factors, {0, level}).dot(Eigen::Vector2d(0.3, 0.9));
    EXPECT_NEAR(value, 2 - 0.4 + (level == 1 ? 0.3 : level == 2 ? 0.9 : 0), 1e-15);
  }
  EXPECT_EQ(columns({0, 1}, factors, {1, 1}).size(), 2);
  EXPECT_EQ(name_of({0, 1}, factors), "model × stiffness");
  EXPECT_EQ(column_names({0, 1}, factors)[1], "model: local, stiffness: c");
}

}  // namespace
}  // namespace limber::study
