#include "limber/dynamics/modal/force_interval.h"

#include <algorithm>

namespace limber {

void ForceInterval::begin(int steps, double h, const MassMotion& from, const MassMotion& to) {
  steps_ = left_ = steps;
  follows_ = true;
  h_ = h;
  from_ = from;
  to_ = to;
}

MassMotion ForceInterval::next_mass_motion() const {
  if (left_ == 1) return to_;
  const double H = steps_ * h_;
  const double t = static_cast<double>(steps_ - left_ + 1) / steps_;
  const double u = 1 - t;
  MassMotion motion;
  // Hermite's cubic and its derivative.
  motion.shift = u * u * (1 + 2 * t) * from_.shift + t * t * (1 + 2 * u) * to_.shift +
                 H * t * u * (u * from_.shift_rate - t * to_.shift_rate);
  motion.shift_rate = 6 * t * u / H * (to_.shift - from_.shift) +
                      u * (1 - 3 * t) * from_.shift_rate + t * (1 - 3 * u) * to_.shift_rate;
  motion.inertia = u * from_.inertia + t * to_.inertia;
  motion.spin_momentum = u * from_.spin_momentum + t * to_.spin_momentum;
  return motion;
}

void ForceInterval::judge(double change) {
  // Who is seen little is asked for long intervals, and may be as much coarser.
  const double too_much = 0.002 * wanted, little = too_much / 5;
  if (change > too_much) {
    most = std::max(1, std::min(most, wanted) / 2);
  } else if (change < little) {
    most = std::min(2 * most, kMostInterval);
  }
}

void ForceInterval::pass() {
  if (left_ > 0) {
    --left_;
  } else if (wanted > 1 && most == 1 && ++waited_ >= kMostInterval) {
    most = 2;
    waited_ = 0;
  }
}

void ForceInterval::break_off(const Vec3& by) {
  left_ = 0;
  follows_ = false;
  offset_ = by;
}

void ForceInterval::fade(double h) {
  constexpr double kFadeTime = 0.2;  // s
  constexpr double kMost = 0.1;      // a step
  if (!offset_.isZero(0)) offset_ *= 1 - std::min(h / kFadeTime, kMost);
}

void ForceInterval::archive(StateArchive& state) {
  state.value(wanted);
  state.value(most);
  state.value(steps_);
  state.value(left_);
  state.value(follows_);
  state.value(waited_);
  state.value(h_);
  state.value(from_);
  state.value(to_);
  state.value(offset_);
}

}  // namespace limber
