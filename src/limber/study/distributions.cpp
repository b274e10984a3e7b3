#include "limber/study/distributions.h"

#include <algorithm>
#include <cmath>

namespace limber::study {

namespace {

constexpr double kSmall = 1e-300;  // instead of a division by zero in Lentz's algorithm
constexpr double kEnough = 1e-16;
constexpr int kMostTerms = 10000;

/// Q(a, x) = Γ(a, x) / Γ(a).
double upper_gamma(double a, double x) {
  if (x <= 0) return 1;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {  // 6.5.29
    double term = 1 / a, sum = term;
    for (int n = 1; n < kMostTerms && term > kEnough * sum; ++n) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - front * sum;
  }
  double b = x + 1 - a, c = 1 / kSmall, d = 1 / b, h = d;  // 6.5.31
  for (int n = 1; n < kMostTerms; ++n) {
    const double an = -n * (n - a);
    b += 2;
    d = an * d + b;
    c = b + an / c;
    d = 1 / (std::abs(d) < kSmall ? kSmall : d);
    if (std::abs(c) < kSmall) c = kSmall;
    h *= d * c;
    if (std::abs(d * c - 1) < kEnough) break;
  }
  return front * h;
}

double beta_fraction(double a, double b, double x) {  // 26.5.8
  const auto safe = [](double value) { return std::abs(value) < kSmall ? kSmall : value; };
  double c = 1, d = 1 / safe(1 - (a + b) * x / (a + 1)), h = d;
  for (int m = 1; m < kMostTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d);
    c = safe(1 + even / c);
    h *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d);
    c = safe(1 + odd / c);
    h *= d * c;
    if (std::abs(d * c - 1) < kEnough) break;
  }
  return h;
}

/// I_x(a, b).
double regularised_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double normal_two_sided(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

double chi_squared_tail(double x, double freedom) { return upper_gamma(freedom / 2, x / 2); }

double f_tail(double x, double numerator, double denominator) {
  if (x <= 0) return 1;
  return regularised_beta(denominator / 2, numerator / 2,
                          denominator / (denominator + numerator * x));
}

double binomial_tail(int successes, int trials, double probability) {
  if (successes <= 0) return 1;
  if (successes > trials) return 0;
  return regularised_beta(successes, trials - successes + 1, probability);
}

double sign_test(int successes, int trials) {
  const int most = std::max(successes, trials - successes);
  return std::min(1.0, 2 * binomial_tail(most, trials, 0.5));
}

}  // namespace limber::study
