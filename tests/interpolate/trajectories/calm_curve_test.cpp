// Curves that keep between their keys.
#include "limber/interpolate/trajectories/calm_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace limber {
namespace {

double value_at(const std::vector<double>& times, const std::vector<double>& values,
                const std::vector<double>& slopes, double t, double* rate = nullptr) {
  const HermiteWeights weights = hermite_weights(times, t);
  double value = 0;
  double speed = 0;
  for (int k = 0; k < 2; ++k) {
    value +=
        weights.value[k] * values[weights.key + k] + weights.slope[k] * slopes[weights.key + k];
    speed += weights.value_rate[k] * values[weights.key + k] +
             weights.slope_rate[k] * slopes[weights.key + k];
  }
  if (rate != nullptr) *rate = speed;
  return value;
}

TEST(CalmCurve, JoinsTwoKeysByAStraightLine) {
  const std::vector<double> times{1, 3};
  const std::vector<double> values{-2, 5};
  const std::vector<double> slopes = calm_slopes(times, values, {});
  for (const double t : {1.0, 1.3, 2.0, 2.9, 3.0}) {
    EXPECT_NEAR(value_at(times, values, slopes, t), -2 + 3.5 * (t - 1), 1e-14);
  }
  EXPECT_EQ(value_at(times, values, slopes, 0), -2);
  EXPECT_EQ(value_at(times, values, slopes, 9), 5);
}

TEST(CalmCurve, NeverLeavesTheRangeOfTheTwoKeysAround) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> times{0};
    std::vector<double> values{number(random)};
    for (int k = 0; k < 6; ++k) {
      times.push_back(times.back() + 0.05 + std::abs(number(random)));
      values.push_back(trial % 3 == 0 ? values.back() : number(random));
    }
    const std::vector<double> slopes = calm_slopes(times, values, {});
    for (double t = 0; t < times.back(); t += 0.013) {
      const int k = hermite_weights(times, t).key;
      const auto [low, high] = std::minmax(values[k], values[k + 1]);
      const double value = value_at(times, values, slopes, t);
      EXPECT_GE(value, low - 1e-14);
      EXPECT_LE(value, high + 1e-14);
    }
  }
}

TEST(CalmCurve, GoesThroughAMonotoneKeyWithoutStopping) {
  const std::vector<double> slopes = calm_slopes({0, 1, 3}, {0, 1, 2}, {});
  // The secants 1 and 1/2, each weighed by the other's length of time: (2·1 + 1·½)/3.
  EXPECT_NEAR(slopes[1], 2.5 / 3, 1e-15);
}

TEST(CalmCurve, KeepsSlopesThatAreGiven) {
  const std::vector<double> slopes = calm_slopes({0, 1, 3}, {0, 1, 2}, {0.0, std::nullopt, -4.0});
  EXPECT_EQ(slopes[0], 0);
  EXPECT_EQ(slopes[2], -4);
}

TEST(CalmCurve, RatesAreDerivativesByTime) {
  const std::vector<double> times{0, 0.7, 2};
  const std::vector<double> values{1, -1, 4};
  const std::vector<double> slopes{0.3, -2, 5};
  const double h = 1e-6;
  for (const double t : {0.1, 0.5, 0.9, 1.7}) {
    double rate = 0;
    (void)value_at(times, values, slopes, t, &rate);
    const double difference =
        (value_at(times, values, slopes, t + h) - value_at(times, values, slopes, t - h)) / (2 * h);
    EXPECT_NEAR(rate, difference, 1e-8);  // h² times a third derivative of about 100
  }
}

}  // namespace
}  // namespace limber
