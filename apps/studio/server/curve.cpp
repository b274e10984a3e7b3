#include "server/curve.h"

#include <algorithm>

namespace limber::studio {

namespace {

double secant(const Curve& curve, std::size_t i) {
  return (curve.value[i + 1] - curve.value[i]) / (curve.at[i + 1] - curve.at[i]);
}

/// The harmonic mean of the neighbouring secants where they agree in sign, else level.
double slope(const Curve& curve, std::size_t i) {
  if (i == 0) return secant(curve, 0);
  if (i + 1 == curve.at.size()) return secant(curve, i - 1);
  const double before = secant(curve, i - 1), after = secant(curve, i);
  return before * after > 0 ? 2 * before * after / (before + after) : 0;
}

}  // namespace

double Curve::operator()(double x) const {
  if (at.empty()) return 0;
  if (x <= at.front()) return value.front();
  if (x >= at.back()) return value.back();
  const auto after = std::upper_bound(at.begin(), at.end(), x);
  const std::size_t i = static_cast<std::size_t>(after - at.begin()) - 1;
  const double h = at[i + 1] - at[i];
  const double t = (x - at[i]) / h;
  const double m0 = slope(*this, i) * h, m1 = slope(*this, i + 1) * h;
  const double d = value[i + 1] - value[i];
  // Hermite's form, written from the left end.
  return value[i] + t * (m0 + t * (3 * d - 2 * m0 - m1 + t * (m0 + m1 - 2 * d)));
}

}  // namespace limber::studio
