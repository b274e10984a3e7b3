// Probabilities beyond a value, for tests of hypotheses: incomplete gamma and beta functions by
// series and continued fractions (Abramowitz & Stegun 6.5.29, 6.5.31, 26.5.8), to some 1e-13.
#pragma once

namespace limber::study {

/// P(|Z| ≥ |z|) of the standard normal distribution.
[[nodiscard]] double normal_two_sided(double z);
/// P(X ≥ x) of χ² with so many degrees of freedom.
[[nodiscard]] double chi_squared_tail(double x, double freedom);
/// P(X ≥ x) of Fisher's F; 1 for x ≤ 0.
[[nodiscard]] double f_tail(double x, double numerator, double denominator);
/// P(X ≥ successes) of so many trials.
[[nodiscard]] double binomial_tail(int successes, int trials, double probability);
/// The exact test of a fair coin: how often a result at least as far from one half comes by chance.
[[nodiscard]] double sign_test(int successes, int trials);

}  // namespace limber::study
