#include "limber/study/distributions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::study {
namespace {

// The functions promise 1e-13 of 1; lgamma's own error is of that size for these arguments.
constexpr double kNear = 1e-12;

TEST(Distributions, ChiSquaredOfTwoIsAnExponential) {
  for (const double x : {0.01, 0.5, 1.9, 2.1, 7.0, 40.0}) {
    EXPECT_NEAR(chi_squared_tail(x, 2), std::exp(-x / 2), kNear);
  }
}

TEST(Distributions, ChiSquaredOfOneIsASquaredNormal) {
  for (const double z : {0.1, 1.0, 1.96, 4.0}) {
    EXPECT_NEAR(chi_squared_tail(z * z, 1), normal_two_sided(z), kNear);
  }
}

TEST(Distributions, FisherHasItsClosedForms) {
  for (const double x : {0.05, 0.7, 1.0, 3.0, 50.0}) {
    EXPECT_NEAR(f_tail(x, 2, 2), 1 / (1 + x), kNear);
    EXPECT_NEAR(f_tail(x, 1, 1), 1 - 2 / M_PI * std::atan(std::sqrt(x)), kNear);  // Cauchy's
    EXPECT_NEAR(f_tail(x, 2, 9), std::pow(1 + 2 * x / 9, -4.5), kNear);
    EXPECT_NEAR(f_tail(x, 5, 7), 1 - f_tail(1 / x, 7, 5), kNear);
  }
}

TEST(Distributions, BinomialIsItsSum) {
  for (int least = 0; least <= 30; ++least) {
    double sum = 0;
    for (int k = least; k <= 30; ++k) {
      sum += std::exp(std::lgamma(31) - std::lgamma(k + 1) - std::lgamma(31 - k)) *
             std::pow(0.3, k) * std::pow(0.7, 30 - k);
    }
    EXPECT_NEAR(binomial_tail(least, 30, 0.3), sum, kNear);
  }
}

// "For the stiff object, the Global/Local model was clearly preferred 66% of the time (p < 0.05)":
// 20 of 30 answers, which one-sided is 0.049 and two-sided twice that.
TEST(Distributions, TwentyOfThirtyAreNotSoClear) {
  EXPECT_NEAR(binomial_tail(20, 30, 0.5), 0.0494, 5e-5);
  EXPECT_NEAR(sign_test(20, 30), 0.0987, 5e-5);
  EXPECT_NEAR(sign_test(10, 30), 0.0987, 5e-5);
  EXPECT_DOUBLE_EQ(sign_test(15, 30), 1);
}

}  // namespace
}  // namespace limber::study
