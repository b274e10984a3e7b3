#include "limber/dynamics/modal/mode_fade.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr double kFadeTime = 0.2;     // s; braked within as much again
constexpr double kMostDamped = 0.1;   // a step
constexpr double kMostReturn = 0.05;  // a step
constexpr double kReturned = 0.01;    // of g, that goes at once
constexpr int kCalmSteps = 3;         // a mode at the end of its swing is slow for one or two

}  // namespace

ModeFade::ModeFade(Eigen::Index modes)
    : modes_(static_cast<int>(modes)),
      wanted_(modes_),
      active_(modes_),
      caught_(modes_),
      held_(Vector::Zero(modes)),
      hold_(Vector::Zero(modes)) {}

bool ModeFade::want(int modes) {
  wanted_ = std::clamp(modes, 1, modes_);
  if (wanted_ >= active_) {
    calm_ = 0;
    leaving_ = 0;
  }
  if (wanted_ <= active_) return false;
  caught_ = std::min(caught_, active_);
  active_ = wanted_;
  look();
  return true;
}

void ModeFade::look() {
  returning_ = (held_.head(active_).array() > 0).any();
  idle_ = active_ == modes_ && !returning_;
}

bool ModeFade::pass(double h, Vector& v, const Vector& reach, double least) {
  if (returning_) {
    const double left = 1 - std::min(h / kFadeTime, kMostReturn);
    for (Eigen::Index k = 0; k < std::min(active_, caught_); ++k) {
      held_[k] = held_[k] * left < kReturned ? 0 : held_[k] * left;
    }
    look();
  }
  if (wanted_ >= active_) return false;
  const Eigen::Index first = wanted_, count = active_ - wanted_;
  leaving_ += h;
  // What goes on pushing them would keep them from ever standing still: after kFadeTime they are
  // braked more and more.
  const double braked = std::max(0.0, leaving_ / kFadeTime - 1);
  v.segment(first, count) *= 1 - std::min(1.0, std::min(h / kFadeTime, kMostDamped) + braked);
  const double way = h * v.segment(first, count).cwiseAbs().dot(reach.segment(first, count));
  calm_ = way <= least ? calm_ + 1 : 0;
  if (braked < 1 && (calm_ < kCalmSteps || leaving_ < kFadeTime)) return false;
  v.segment(first, count).setZero();
  held_.segment(first, count).setOnes();
  hold_.segment(first, count).setZero();
  active_ = wanted_;
  caught_ = std::min(caught_, active_);
  if (caught_ == active_) caught_ = modes_;
  calm_ = 0;
  leaving_ = 0;
  look();
  return true;
}

void ModeFade::add_hold(const Eigen::Ref<const Vector>& lambda, const Vector& rest, Vector& f) {
  if (idle_) return;
  for (Eigen::Index k = caught_; k < active_; ++k) {
    if (held_[k] > 0) hold_[k] = lambda[k] * rest[k] - f[k];
  }
  caught_ = modes_;
  f.head(active_) += held_.head(active_).cwiseProduct(hold_.head(active_));
}

void ModeFade::archive(StateArchive& state) {
  state.value(wanted_);
  state.value(active_);
  state.value(caught_);
  state.value(calm_);
  state.value(leaving_);
  state.numbers(held_);
  state.numbers(hold_);
  look();
}

}  // namespace limber
