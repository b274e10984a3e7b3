#include "limber/interpolate/trajectories/modal_motion.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/interpolate/trajectories/calm_curve.h"
#include "limber/interpolate/trajectories/calm_spline.h"

namespace limber {

namespace {

bool has_velocities(const ModalKeys& keys) {
  return std::any_of(keys.velocities.begin(), keys.velocities.end(),
                     [](const auto& velocity) { return velocity.has_value(); });
}

std::optional<double> velocity_of(const ModalKeys& keys, std::size_t key, int mode) {
  if (key >= keys.velocities.size() || !keys.velocities[key]) return std::nullopt;
  return (*keys.velocities[key])[mode];
}

/// Automatic ones decided.
Trajectory chosen(Trajectory trajectory, const ModalKeys& keys, const MotionControls& controls) {
  if (trajectory == Trajectory::calm && controls.ask_to_swing()) {
    throw Error("a calm trajectory with controls that make modes swing", "interpolation",
                "leave one of them out");
  }
  if (trajectory == Trajectory::free && has_velocities(keys)) {
    throw Error("key velocities with a free trajectory", "interpolation",
                "choose the wiggly trajectory");
  }
  if (trajectory != Trajectory::automatic) return trajectory;
  if (!controls.ask_to_swing()) return Trajectory::calm;
  return keys.times.size() > 2 || has_velocities(keys) ? Trajectory::wiggly : Trajectory::free;
}

}  // namespace

ModalMotion::ModalMotion(const Vector& eigenvalues, const ModalKeys& keys,
                         const MotionControls& controls, Trajectory trajectory)
    : times_(keys.times), keys_(keys.z) {
  const int modes = static_cast<int>(eigenvalues.size());
  const double interval = (times_.back() - times_.front()) / static_cast<double>(times_.size() - 1);
  const MotionControls used =
      controls.swing ? controls_for_swing(controls, eigenvalues, interval) : controls;
  swings_ = wanted_swings(eigenvalues, used);
  const std::vector<AdjustmentWeights> weights = adjustment_weights(modes, used);
  const Trajectory way = chosen(trajectory, keys, controls);
  find_calm_way(keys);
  choose_rest(keys, used, way == Trajectory::wiggly);
  if (way == Trajectory::calm) return;
  share_ = Vector::Ones(modes);
  if (way == Trajectory::free) {
    find_legs(keys, weights);
  } else {
    find_splines(keys, weights);
  }
  if (controls.swing) limit_straying(keys, *controls.swing);
}

void ModalMotion::find_calm_way(const ModalKeys& keys) {
  const int modes = static_cast<int>(swings_.size());
  slopes_.assign(times_.size(), Vector::Zero(modes));
  std::vector<double> values(times_.size());
  std::vector<std::optional<double>> given(times_.size());
  for (int mode = 0; mode < modes; ++mode) {
    for (std::size_t key = 0; key < times_.size(); ++key) {
      values[key] = keys.z[key][mode];
      given[key] = velocity_of(keys, key, mode);
    }
    const std::vector<double> slopes = calm_slopes(times_, values, given);
    for (std::size_t key = 0; key < times_.size(); ++key) slopes_[key][mode] = slopes[key];
  }
}

void ModalMotion::choose_rest(const ModalKeys& keys, const MotionControls& controls, bool wiggly) {
  rest_ = Vector::Zero(static_cast<Eigen::Index>(swings_.size()));
  if (controls.rest_shift) {
    // Huang et al. 2011, section 4.3.
    rest_ = (1 - *controls.rest_shift) * keys.z.front() + *controls.rest_shift * keys.z.back();
  } else if (controls.swing && !wiggly) {
    rest_ = keys.z.back();
  } else if (controls.swing) {
    for (const Vector& z : keys.z) rest_ += z / static_cast<double>(keys.z.size());
  }
}

void ModalMotion::find_legs(const ModalKeys& keys, const std::vector<AdjustmentWeights>& weights) {
  for (std::size_t interval = 0; interval + 1 < times_.size(); ++interval) {
    const double duration = times_[interval + 1] - times_[interval];
    for (int mode = 0; mode < mode_count(); ++mode) {
      const double z0 = keys.z[interval][mode] - rest_[mode];
      const double zT = keys.z[interval + 1][mode] - rest_[mode];
      const Swing swing = adjusted_swing(swings_[mode], z0, zT, duration, weights[mode]);
      const Oscillation oscillation(swing, z0, zT, duration);
      legs_.push_back({oscillation, oscillation.swing()});
    }
  }
}

void ModalMotion::find_splines(const ModalKeys& keys,
                               const std::vector<AdjustmentWeights>& weights) {
  for (int mode = 0; mode < mode_count(); ++mode) {
    std::vector<double> values;
    std::vector<std::optional<double>> velocities;
    for (std::size_t key = 0; key < times_.size(); ++key) {
      values.push_back(keys.z[key][mode] - rest_[mode]);
      velocities.push_back(velocity_of(keys, key, mode));
    }
    CalmSpline calm = calm_spline(swings_[mode], times_, values, velocities, weights[mode]);
    splines_.push_back(std::move(calm.spline));
    swings_[mode] = calm.swing;
  }
}

/// A mode near resonance with the keys would stray many times its way: it is held to its way.
void ModalMotion::limit_straying(const ModalKeys& keys, double swing) {
  constexpr int kSamples = 64;  // a mode of many swings is a sine there: missed by 1 % at most
  const auto intervals = static_cast<int>(times_.size()) - 1;
  for (int mode = 0; mode < mode_count(); ++mode) {
    double low = keys.z.front()[mode];
    double high = low;
    for (const Vector& z : keys.z) {
      low = std::min(low, z[mode]);
      high = std::max(high, z[mode]);
    }
    double farthest = 0;
    for (int k = 0; k < kSamples * intervals; ++k) {
      const double s = (k + 0.5) / kSamples;
      const auto interval = static_cast<int>(s);
      const double t =
          times_[interval] + (s - interval) * (times_[interval + 1] - times_[interval]);
      farthest = std::max(farthest, std::abs(swinging_state(mode, t)[0] - calm_state(mode, t)[0]));
    }
    share_[mode] = farthest > high - low ? swing * (high - low) / farthest : swing;
  }
}

Eigen::Vector2d ModalMotion::calm_state(int mode, double t) const {
  const HermiteWeights weights = hermite_weights(times_, t);
  Eigen::Vector2d state = Eigen::Vector2d::Zero();
  for (int k = 0; k < 2; ++k) {
    state[0] += weights.value[k] * keys_[weights.key + k][mode] +
                weights.slope[k] * slopes_[weights.key + k][mode];
    state[1] += weights.value_rate[k] * keys_[weights.key + k][mode] +
                weights.slope_rate[k] * slopes_[weights.key + k][mode];
  }
  return state;
}

Eigen::Vector2d ModalMotion::swinging_state(int mode, double t) const {
  const Eigen::Vector2d rest(rest_[mode], 0);
  if (wiggly()) return rest + splines_[mode].at(t);
  const auto behind = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  const int interval = static_cast<int>(behind - times_.begin()) - 1;
  const Leg& leg = legs_[static_cast<std::size_t>(interval) * rest_.size() + mode];
  const double since = std::max(0.0, t - times_[interval]);
  const double duration = times_[interval + 1] - times_[interval];
  if (since <= duration) {
    return rest + Eigen::Vector2d(leg.oscillation.value(since), leg.oscillation.velocity(since));
  }
  const Eigen::Vector2d end(leg.oscillation.value(duration), leg.oscillation.velocity(duration));
  return rest + propagator(leg.swing, since - duration).E * end;
}

Eigen::Vector2d ModalMotion::state(int mode, double t) const {
  if (calm()) return calm_state(mode, t);
  if (share_[mode] == 1) return swinging_state(mode, t);
  const Eigen::Vector2d calm = calm_state(mode, t);
  return calm + share_[mode] * (swinging_state(mode, t) - calm);
}

void ModalMotion::at(double t, Vector& z) const {
  for (int mode = 0; mode < mode_count(); ++mode) z[mode] = state(mode, t)[0];
}

void ModalMotion::velocity_at(double t, Vector& velocity) const {
  for (int mode = 0; mode < mode_count(); ++mode) velocity[mode] = state(mode, t)[1];
}

const Swing& ModalMotion::swing(int mode, int interval) const {
  if (wiggly() || calm()) return swings_[mode];
  return legs_[static_cast<std::size_t>(interval) * rest_.size() + mode].swing;
}

}  // namespace limber
