#include "limber/interpolate/trajectories/calm_curve.h"

#include <algorithm>

namespace limber {

HermiteWeights hermite_weights(const std::vector<double>& times, double t) {
  const int last = static_cast<int>(times.size()) - 1;
  HermiteWeights weights;
  if (t < times.front()) return weights;
  if (t > times.back()) {
    weights.key = last - 1;
    weights.value[0] = 0;
    weights.value[1] = 1;
    return weights;
  }
  const auto behind = std::upper_bound(times.begin() + 1, times.end() - 1, t);
  weights.key = static_cast<int>(behind - times.begin()) - 1;
  const double length = times[weights.key + 1] - times[weights.key];
  const double s = (t - times[weights.key]) / length;
  const double r = 1 - s;
  weights.value[0] = r * r * (1 + 2 * s);
  weights.value[1] = s * s * (1 + 2 * r);
  weights.slope[0] = length * s * r * r;
  weights.slope[1] = -length * s * s * r;
  weights.value_rate[0] = -6 * s * r / length;
  weights.value_rate[1] = 6 * s * r / length;
  weights.slope_rate[0] = r * (r - 2 * s);
  weights.slope_rate[1] = s * (s - 2 * r);
  return weights;
}

std::vector<double> calm_slopes(const std::vector<double>& times, const std::vector<double>& values,
                                const std::vector<std::optional<double>>& given) {
  const std::size_t count = times.size();
  std::vector<double> slopes(count, 0.0);
  const auto secant = [&](std::size_t k) {
    return (values[k + 1] - values[k]) / (times[k + 1] - times[k]);
  };
  for (std::size_t k = 0; k < count; ++k) {
    if (k < given.size() && given[k]) {
      slopes[k] = *given[k];
    } else if (k == 0) {
      slopes[k] = secant(0);
    } else if (k + 1 == count) {
      slopes[k] = secant(count - 2);
    } else {
      const double before = secant(k - 1);
      const double behind = secant(k);
      const double share = (times[k] - times[k - 1]) / (times[k + 1] - times[k - 1]);
      const double mean = (1 - share) * before + share * behind;
      slopes[k] = mean * calm_slope_factor(before * behind, std::abs(before), std::abs(behind),
                                           std::abs(mean));
    }
  }
  return slopes;
}

}  // namespace limber
