// Takes: what was recorded of a scene's first lane, and which part of it counts.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "limber/core/types.h"
#include "server/archive.h"
#include "server/frame_writer.h"

namespace limber::studio {

/// Of a recording, s of the scene's time.
inline constexpr double kFrameTime = 1.0 / 60;

/// One body of a recording: its surface at rest.
struct RecordedBody {
  std::string name;
  Triangles triangles;
  Positions rest_positions;
};

/// What was recorded; immutable once the recording stops, so that another thread can write it.
struct Recording {
  std::vector<RecordedBody> bodies;
  std::vector<double> times;                              // s
  std::vector<std::vector<std::vector<float>>> surfaces;  // frame, body, 3 a vertex; world, m
  std::vector<std::vector<BodyPlace>> obstacles;          // frame, obstacle
  std::size_t bytes = 0;                                  // of the surfaces

  /// The surfaces as a project holds them; packed once, since projects are kept after every change.
  [[nodiscard]] std::shared_ptr<const PackedBytes> packed_surfaces() const;

 private:
  mutable std::once_flag once_;
  mutable std::shared_ptr<const PackedBytes> packed_;
};

/// A finished recording under its name, and the frames of it that count.
struct Take {
  int id = 0;
  std::string name;
  std::shared_ptr<const Recording> recording;
  std::size_t from = 0, to = 0;  // frames, both counted in

  [[nodiscard]] double duration() const { return recording->times[to] - recording->times[from]; }
  /// The frame shown so many seconds after the first that counts.
  [[nodiscard]] std::size_t frame_at(double time) const;
};

/// Bytes of the surfaces of all these takes.
[[nodiscard]] std::size_t bytes_of(const std::vector<Take>& takes);

}  // namespace limber::studio
