// Morph targets of a body's motion: one a frame, or few that all frames are mixed of.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "limber/export/motion_basis.h"

namespace limber {

class MorphTargets {
 public:
  virtual ~MorphTargets() = default;

  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual std::string name(std::size_t target) const = 0;
  /// What a target fully on adds to the first frame's points.
  [[nodiscard]] virtual std::vector<float> point_offsets(std::size_t target) const = 0;
  /// The same for its normals.
  [[nodiscard]] virtual std::vector<float> normal_offsets(std::size_t target) const = 0;
  /// How far each target is on in a frame.
  virtual void weights(std::size_t frame, std::span<float> result) const = 0;
  /// m: how far any point is off in any frame, single precision apart.
  [[nodiscard]] virtual double error() const { return 0; }
};

/// As few as show every point within `tolerance` (m) of where it should be; where that saves
/// little, or the tolerance is zero, one for each different frame. Spans of `points` for several
/// frames must be valid together.
[[nodiscard]] std::unique_ptr<MorphTargets> morph_targets(const FramePoints& points,
                                                          const FramePoints& normals,
                                                          std::size_t frame_count,
                                                          double tolerance);

}  // namespace limber
