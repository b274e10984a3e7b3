// What the formats of moving surfaces share: the frames of every surface, kept in single precision.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "limber/export/animation.h"
#include "limber/export/frame_store.h"

namespace limber {

class SurfaceWriter : public AnimationWriter {
 protected:
  SurfaceWriter(std::filesystem::path path, std::vector<AnimatedBody> bodies,
                double frames_per_second)
      : AnimationWriter(std::move(path), std::move(bodies), frames_per_second),
        store_(this->path(), vertex_counts(this->bodies())) {}

  /// x, y, z of every surface vertex of one body in one frame.
  [[nodiscard]] std::span<const float> surface(std::size_t frame, std::size_t body) {
    return store_.points(frame, body);
  }

 private:
  static std::vector<std::size_t> vertex_counts(const std::vector<AnimatedBody>& bodies) {
    std::vector<std::size_t> counts;
    for (const AnimatedBody& body : bodies) {
      counts.push_back(static_cast<std::size_t>(body.surface.vertex_count()));
    }
    return counts;
  }

  void append(double /*time*/, std::span<const BodyFrame> bodies) final {
    std::vector<const Positions*> surfaces;
    for (const BodyFrame& body : bodies) surfaces.push_back(&body.surface);
    store_.append(surfaces);
  }

  FrameStore<float> store_;
};

}  // namespace limber
