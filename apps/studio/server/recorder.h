// Recordings of the first lane: surfaces, frame by frame, kept in memory up to a bound.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "server/simulation.h"

namespace limber::studio {

class Recorder {
 public:
  [[nodiscard]] bool running() const { return running_; }
  [[nodiscard]] std::size_t frame_count() const {
    return recording_ ? recording_->times.size() : 0;
  }
  /// Null when nothing was recorded.
  [[nodiscard]] std::shared_ptr<const Recording> recording() const { return recording_; }

  /// `time` is the clock of what is recorded, s. All recordings that anyone still holds share the
  /// memory that is set aside.
  void start(const Simulation& simulation, double time);
  void stop() { running_ = false; }
  /// Forgets everything.
  void clear();
  /// Takes that came with a project share the memory that is set aside.
  void adopt(const std::vector<Take>& takes);
  using Surfaces = std::function<std::vector<Positions>()>;
  /// Takes a frame when one is due: steps last `step` seconds. False when the memory set aside is
  /// full: it has stopped then.
  bool take(double time, double step, const Surfaces& surfaces,
            const std::vector<BodyPlace>& obstacles);

 private:
  std::shared_ptr<Recording> recording_;
  bool running_ = false;
  double next_ = 0;
  std::size_t others_ = 0;  // bytes of earlier recordings
  std::vector<std::weak_ptr<const Recording>> made_;
};

/// Whether a recording shows the bodies that the scene has.
[[nodiscard]] bool fits(const Recording& recording, const std::vector<BodyState>& bodies);

/// The recorded surfaces at rest, those that the scene's `looks` fit with their colours, materials
/// and pictures.
[[nodiscard]] std::vector<TriMesh> surfaces_of(const Recording& recording,
                                               const std::vector<TriMesh>& looks);

/// Endings of the files that this recording can be written as.
[[nodiscard]] std::vector<std::string> recording_formats(std::size_t bodies);

/// The frames that count as a file's bytes; `looks` are the scene's surfaces, which give their
/// colours, materials and pictures to the bodies that they fit. Throws Error.
[[nodiscard]] std::string write_take(const Take& take, const std::vector<TriMesh>& looks,
                                     const std::string& ending, const Progress& progress);

}  // namespace limber::studio
