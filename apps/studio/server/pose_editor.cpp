#include "server/pose_editor.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber::studio {

namespace {

constexpr std::size_t kMostPoses = 64;
constexpr int kCurveSamples = 240;
/// Poses keep this distance in time, s; trajectories divide by it.
constexpr double kLeastGap = 0.02;

}  // namespace

InterpolationState PoseEditor::state() const {
  InterpolationState state;
  for (const Pose& pose : poses_) state.poses.push_back(pose.key);
  state.active = active();
  state.looping = looping_;
  state.time = time_;
  state.duration = end();
  state.modes = modes_;
  state.curves = curves_;
  if (poses_.empty()) {
    state.obstacle = "Pull the body into a shape and keep it as a pose, twice or more.";
  } else if (poses_.size() == 1) {
    state.obstacle = "One more pose, and there is a motion between them.";
  } else {
    state.obstacle = motion_ == nullptr && obstacle_.empty() ? "Working…" : obstacle_;
  }
  return state;
}

void PoseEditor::add(Positions pose, double time, const std::string& name) {
  if (poses_.size() >= kMostPoses) {
    throw Error("there are too many poses", "64 at most", "remove some of them");
  }
  poses_.push_back({{++last_id_, name, time}, std::move(pose)});
  sort();
  stale_ = true;
}

void PoseEditor::remove(int id) {
  std::erase_if(poses_, [id](const Pose& pose) { return pose.key.id == id; });
  stale_ = true;
  motion_.reset();
}

void PoseEditor::set_time(int id, double time) {
  const auto order = [this] {
    std::vector<int> ids;
    for (const Pose& pose : poses_) ids.push_back(pose.key.id);
    return ids;
  };
  const std::vector<int> before = order();
  for (Pose& pose : poses_) {
    if (pose.key.id == id) pose.key.time = time;
  }
  sort();
  if (order() != before) {
    stale_ = true;  // the poses are passed in another order
  } else if (motion_) {
    motion_->set_times(times());
  }
}

void PoseEditor::sort() {
  std::stable_sort(poses_.begin(), poses_.end(),
                   [](const Pose& a, const Pose& b) { return a.key.time < b.key.time; });
  for (std::size_t i = 1; i < poses_.size(); ++i) {
    poses_[i].key.time = std::max(poses_[i].key.time, poses_[i - 1].key.time + kLeastGap);
  }
}

void PoseEditor::set(const command::Interpolation& settings) {
  if (settings.active && !active_) time_ = start();
  active_ = settings.active;
  looping_ = settings.looping;
  stale_ = stale_ || settings.modes != modes_;
  modes_ = settings.modes;
}

void PoseEditor::set(const MotionCurves& curves) {
  curves_ = curves;
  if (motion_) motion_->set_curves(curves_);
}

void PoseEditor::scrub(double time) {
  time_ = std::clamp(time, start(), end());
  active_ = active_ || motion_ != nullptr;
}

void PoseEditor::advance(double seconds) {
  const double length = end() - start();
  time_ += seconds;
  if (time_ <= end() || length <= 0) return;
  time_ = looping_ ? start() + std::fmod(time_ - start(), length) : end();
}

std::vector<Positions> PoseEditor::poses() const {
  std::vector<Positions> result;
  for (const Pose& pose : poses_) result.push_back(pose.positions);
  return result;
}

std::vector<double> PoseEditor::times() const {
  std::vector<double> result;
  for (const Pose& pose : poses_) result.push_back(pose.key.time);
  return result;
}

void PoseEditor::save(SavedSession& session) const {
  for (const Pose& pose : poses_) {
    session.poses.push_back({pose.key.name, pose.key.time, pose.positions});
  }
  session.looping = looping_;
  session.modes = modes_;
  session.curves = curves_;
}

void PoseEditor::restore(const SavedSession& session) {
  clear();
  for (const SavedPose& pose : session.poses) add(pose.positions, pose.time, pose.name);
  looping_ = session.looping;
  modes_ = session.modes;
  curves_ = session.curves;
}

void PoseEditor::set_motion(std::unique_ptr<PoseMotion> motion, const std::string& obstacle) {
  motion_ = std::move(motion);
  obstacle_ = obstacle;
  if (!motion_) return;
  motion_->set_times(times());
  motion_->set_curves(curves_);
}

std::optional<std::string> PoseEditor::mode_curve(int mode) const {
  if (!motion_ || mode >= motion_->mode_count()) return std::nullopt;
  std::vector<double> times, values;
  for (int i = 0; i <= kCurveSamples; ++i) {
    times.push_back(start() + (end() - start()) * i / kCurveSamples);
    values.push_back(motion_->amplitude(mode, times.back()));
  }
  return encode_curve(mode, times, values, motion_->key_amplitudes(mode));
}

}  // namespace limber::studio
