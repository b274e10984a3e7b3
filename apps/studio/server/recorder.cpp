#include "server/recorder.h"

#include <cmath>

namespace limber::studio {

namespace {

constexpr std::size_t kMostBytes = 512UL * 1024 * 1024;  // of surfaces

}  // namespace

void Recorder::start(const Simulation& simulation, double time) {
  clear();
  std::erase_if(made_, [](const auto& one) { return one.expired(); });
  others_ = 0;
  for (const auto& one : made_) {
    if (const auto held = one.lock()) others_ += held->bytes;
  }
  recording_ = std::make_shared<Recording>();
  made_.push_back(recording_);
  recording_->bodies = simulation.recorded_bodies();
  next_ = time;
  running_ = true;
}

void Recorder::clear() {
  recording_.reset();
  running_ = false;
}

void Recorder::adopt(const std::vector<Take>& takes) {
  for (const Take& take : takes) made_.push_back(take.recording);
}

bool Recorder::take(double time, double step, const Surfaces& surfaces_now,
                    const std::vector<BodyPlace>& obstacles) {
  if (!running_) return true;
  // A reset or a loop starts time again; the recording's own goes on.
  if (time < next_ - 2 * kFrameTime) next_ = time;
  // Half a step's tolerance: times are sums of steps that are no binary fractions.
  if (time < next_ - 0.5 * step) return true;
  std::vector<std::vector<float>> surfaces;
  for (const Positions& surface : surfaces_now()) {
    surfaces.emplace_back(surface.data(), surface.data() + surface.size());
    recording_->bytes += 4 * surfaces.back().size();
  }
  const double since = time - next_;
  recording_->times.push_back(static_cast<double>(recording_->times.size()) * kFrameTime);
  recording_->surfaces.push_back(std::move(surfaces));
  recording_->obstacles.push_back(obstacles);
  next_ += kFrameTime * std::max(1.0, std::ceil(since / kFrameTime));
  if (others_ + recording_->bytes <= kMostBytes) return true;
  running_ = false;
  return false;
}

std::vector<std::string> recording_formats(std::size_t bodies) {
  // Point caches hold one body a file, and a download is one file.
  if (bodies == 1) return {"glb", "usda", "mdd", "pc2"};
  return {"glb", "usda"};
}

}  // namespace limber::studio
