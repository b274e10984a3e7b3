// Frames kept in a nameless file until the format can be written.
//
// Most formats put counts, times or bounds before the points, or all frames of one body before the
// next body; none is known before the last frame. So frames go to disk as they come and are read
// back through a mapping, in any order, without filling memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "limber/core/types.h"

namespace limber {

/// A file without a name in the folder of `target`, gone when this is. Written once, then read.
class SpoolFile {
 public:
  /// Throws Error when the folder cannot be written or `target` is a directory.
  explicit SpoolFile(const std::filesystem::path& target);
  ~SpoolFile();
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  void append(std::span<const std::byte> bytes);
  /// Everything appended; the bytes live as long as this. Nothing may be appended afterwards.
  [[nodiscard]] std::span<const std::byte> map();
  /// Drops everything behind the first `size` bytes.
  void truncate(std::size_t size);

 private:
  std::filesystem::path target_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
  void* mapped_ = nullptr;
};

/// Points of several arrays (one or two a body) in every frame, as `Real` (float or double).
template <class Real>
class FrameStore {
 public:
  /// `points[a]` is the number of points of array a, the same in every frame.
  FrameStore(const std::filesystem::path& target, std::vector<std::size_t> points);

  /// One n×3 array for each of `points`, in that order.
  void append(std::span<const Positions* const> arrays);
  /// x, y, z of every point of one array in one frame. Ends the time for append().
  [[nodiscard]] std::span<const Real> points(std::size_t frame, std::size_t array);

 private:
  SpoolFile file_;
  std::vector<std::size_t> offsets_;  // in numbers from the start of a frame; the last is its size
  std::vector<Real> frame_;
  std::size_t frames_ = 0;
  std::span<const Real> all_;
};

extern template class FrameStore<float>;
extern template class FrameStore<double>;

}  // namespace limber
