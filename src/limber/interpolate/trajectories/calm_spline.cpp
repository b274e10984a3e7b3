#include "limber/interpolate/trajectories/calm_spline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace limber {

namespace {

constexpr int kShifts = 4;  // to either side
constexpr std::array kDampingShares{1.0, 0.5, 0.25, 0.0};

double fastest_passing(const WigglySpline& spline, const std::vector<double>& times) {
  double fastest = 0;
  for (const double t : times) fastest = std::max(fastest, std::abs(spline.at(t)[1]));
  return fastest;
}

}  // namespace

CalmSpline calm_spline(const Swing& wanted, const std::vector<double>& times,
                       const std::vector<double>& values,
                       const std::vector<std::optional<double>>& velocities,
                       const AdjustmentWeights& weights) {
  CalmSpline best{WigglySpline(wanted, times, values, velocities), wanted};
  double size = 0;
  for (const double value : values) size = std::max(size, std::abs(value));
  if (size == 0 || weights.velocity <= 0 || wanted.stiffness() <= 0) return best;
  const double lambda = std::sqrt(wanted.stiffness());
  const auto cost = [&](const WigglySpline& spline, double frequency_change,
                        double damping_change) {
    const double speed = fastest_passing(spline, times) / size;
    return weights.velocity * speed * speed +
           weights.frequency * frequency_change * frequency_change +
           weights.damping * damping_change * damping_change;
  };
  double least = cost(best.spline, 0, 0);
  const double intervals = static_cast<double>(times.size() - 1);
  const double reach = 0.5 * std::numbers::pi * intervals / (times.back() - times.front());
  for (const double share : kDampingShares) {
    const double alpha = share * wanted.alpha;
    for (int k = -kShifts; k <= kShifts; ++k) {
      const double change = reach * k / kShifts;
      if (lambda + change < 0 || (k == 0 && alpha == wanted.alpha)) continue;
      const Swing swing = Swing::of(lambda + change, alpha);
      WigglySpline spline(swing, times, values, velocities);
      const double there = cost(spline, change, alpha - wanted.alpha);
      if (!(there < least)) continue;
      best = {std::move(spline), swing};
      least = there;
    }
    if (wanted.alpha == 0) break;
  }
  return best;
}

}  // namespace limber
