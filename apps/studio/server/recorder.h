// A recording of the first lane: surfaces, frame by frame, kept in memory up to a bound.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "server/simulation.h"

namespace limber::studio {

/// What was recorded; immutable once the recording stops, so that another thread can write it.
struct Recording {
  std::vector<RecordedBody> bodies;
  std::vector<double> times;                              // s
  std::vector<std::vector<std::vector<float>>> surfaces;  // frame, body, 3 a vertex; world, m
};

class Recorder {
 public:
  [[nodiscard]] bool running() const { return running_; }
  [[nodiscard]] std::size_t frame_count() const {
    return recording_ ? recording_->times.size() : 0;
  }
  /// Null when nothing was recorded.
  [[nodiscard]] std::shared_ptr<const Recording> recording() const { return recording_; }

  /// `time` is the clock of what is recorded, s.
  void start(const Simulation& simulation, double time);
  void stop() { running_ = false; }
  /// Forgets everything.
  void clear();
  using Surfaces = std::function<std::vector<Positions>()>;
  /// Takes a frame when one is due: steps last `step` seconds. False when the memory set aside is
  /// full: it has stopped then.
  bool take(double time, double step, const Surfaces& surfaces);

 private:
  std::shared_ptr<Recording> recording_;
  bool running_ = false;
  double next_ = 0;
  std::size_t bytes_ = 0;
};

/// Endings of the files that this recording can be written as.
[[nodiscard]] std::vector<std::string> recording_formats(std::size_t bodies);

/// The recording as a file's bytes. Throws Error.
[[nodiscard]] std::string write_recording(const Recording& recording, const std::string& ending,
                                          const Progress& progress);

}  // namespace limber::studio
