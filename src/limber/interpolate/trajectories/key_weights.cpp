#include "limber/interpolate/trajectories/key_weights.h"

#include <algorithm>

namespace limber {

std::array<KeyWeight, 4> key_weights(const std::vector<double>& times, double t) {
  const int last = static_cast<int>(times.size()) - 1;
  std::array<KeyWeight, 4> weights{};
  if (t <= times.front()) {
    weights[0] = {0, 1};
    return weights;
  }
  if (t >= times.back()) {
    weights[0] = {last, 1};
    return weights;
  }
  const auto behind = std::upper_bound(times.begin(), times.end(), t);
  const int k = static_cast<int>(behind - times.begin()) - 1;
  const double length = times[k + 1] - times[k];
  const double s = (t - times[k]) / length;
  const double r = 1 - s;
  // Cubic Hermite: values and slopes at both ends.
  const double slope_here = length * s * r * r;
  const double slope_next = -length * s * s * r;
  for (int i = 0; i < 4; ++i) weights[i].key = std::clamp(k - 1 + i, 0, last);
  weights[1].weight = r * r * (1 + 2 * s);
  weights[2].weight = s * s * (1 + 2 * r);
  const auto add_slope = [&](double factor, int low, int high) {
    const double span = times[high] - times[low];
    weights[low - k + 1].weight -= factor / span;
    weights[high - k + 1].weight += factor / span;
  };
  add_slope(slope_here, std::max(k - 1, 0), k + 1);
  add_slope(slope_next, k, std::min(k + 2, last));
  return weights;
}

double key_bump(double before, double here, double behind, double t) {
  if (t <= before || t >= behind) return 0;
  const double s = t <= here ? (t - before) / (here - before) : (behind - t) / (behind - here);
  return s * s * (3 - 2 * s);
}

}  // namespace limber
