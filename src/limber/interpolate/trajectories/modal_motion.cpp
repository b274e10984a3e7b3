#include "limber/interpolate/trajectories/modal_motion.h"

#include <algorithm>

#include "limber/core/error.h"
#include "limber/interpolate/trajectories/calm_spline.h"

namespace limber {

namespace {

bool has_velocities(const ModalKeys& keys) {
  return std::any_of(keys.velocities.begin(), keys.velocities.end(),
                     [](const auto& velocity) { return velocity.has_value(); });
}

}  // namespace

ModalMotion::ModalMotion(const Vector& eigenvalues, const ModalKeys& keys,
                         const MotionControls& controls, Trajectory trajectory)
    : times_(keys.times), swings_(wanted_swings(eigenvalues, controls)) {
  const int modes = static_cast<int>(eigenvalues.size());
  const int intervals = static_cast<int>(times_.size()) - 1;
  const bool wiggly = trajectory == Trajectory::wiggly || (trajectory == Trajectory::automatic &&
                                                           (intervals > 1 || has_velocities(keys)));
  if (!wiggly && has_velocities(keys)) {
    throw Error("key velocities with a free trajectory", "interpolation",
                "choose the wiggly trajectory");
  }
  rest_ = Vector::Zero(modes);
  if (controls.rest_shift) {
    // Huang et al. 2011, section 4.3.
    rest_ = (1 - *controls.rest_shift) * keys.z.front() + *controls.rest_shift * keys.z.back();
  }
  const std::vector<AdjustmentWeights> weights = adjustment_weights(modes, controls);
  if (!wiggly) {
    for (int interval = 0; interval < intervals; ++interval) {
      const double duration = times_[interval + 1] - times_[interval];
      for (int mode = 0; mode < modes; ++mode) {
        const double z0 = keys.z[interval][mode] - rest_[mode];
        const double zT = keys.z[interval + 1][mode] - rest_[mode];
        const Swing swing = adjusted_swing(swings_[mode], z0, zT, duration, weights[mode]);
        const Oscillation oscillation(swing, z0, zT, duration);
        legs_.push_back({oscillation, oscillation.swing()});
      }
    }
    return;
  }
  for (int mode = 0; mode < modes; ++mode) {
    std::vector<double> values;
    std::vector<std::optional<double>> velocities;
    for (std::size_t key = 0; key < times_.size(); ++key) {
      values.push_back(keys.z[key][mode] - rest_[mode]);
      const bool given = key < keys.velocities.size() && keys.velocities[key];
      velocities.push_back(given ? std::optional<double>((*keys.velocities[key])[mode])
                                 : std::nullopt);
    }
    CalmSpline calm = calm_spline(swings_[mode], times_, values, velocities, weights[mode]);
    splines_.push_back(std::move(calm.spline));
    swings_[mode] = calm.swing;
  }
}

Eigen::Vector2d ModalMotion::state(int mode, double t) const {
  if (wiggly()) return splines_[mode].at(t);
  const auto behind = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  const int interval = static_cast<int>(behind - times_.begin()) - 1;
  const Leg& leg = legs_[static_cast<std::size_t>(interval) * rest_.size() + mode];
  const double since = std::max(0.0, t - times_[interval]);
  const double duration = times_[interval + 1] - times_[interval];
  if (since <= duration) return {leg.oscillation.value(since), leg.oscillation.velocity(since)};
  const Eigen::Vector2d end(leg.oscillation.value(duration), leg.oscillation.velocity(duration));
  return propagator(leg.swing, since - duration).E * end;
}

void ModalMotion::at(double t, Vector& z) const {
  for (int mode = 0; mode < mode_count(); ++mode) z[mode] = rest_[mode] + state(mode, t)[0];
}

void ModalMotion::velocity_at(double t, Vector& velocity) const {
  for (int mode = 0; mode < mode_count(); ++mode) velocity[mode] = state(mode, t)[1];
}

const Swing& ModalMotion::swing(int mode, int interval) const {
  if (wiggly()) return swings_[mode];
  return legs_[static_cast<std::size_t>(interval) * rest_.size() + mode].swing;
}

}  // namespace limber
