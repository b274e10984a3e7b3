#include "limber/export/glb_targets.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace limber {

namespace {

/// Every later frame is a target that its time turns fully on. A frame equal to the first, or to
/// that of the newest target, needs none of its own.
class FrameTargets final : public MorphTargets {
 public:
  FrameTargets(FramePoints points, FramePoints normals, std::size_t frame_count)
      : points_(std::move(points)), normals_(std::move(normals)) {
    std::size_t shown = 0;  // the frame that the newest target, or the base, holds
    for (std::size_t frame = 0; frame < frame_count; ++frame) {
      const auto equals = [&](std::size_t other) {
        return std::ranges::equal(points_(frame), points_(other));
      };
      if (equals(0)) {
        target_of_frame_.push_back(-1);
        continue;
      }
      if (shown == 0 || !equals(shown)) {
        shown = frame;
        frames_.push_back(frame);
      }
      target_of_frame_.push_back(static_cast<int>(frames_.size()) - 1);
    }
  }

  [[nodiscard]] std::size_t count() const override { return frames_.size(); }
  [[nodiscard]] std::string name(std::size_t target) const override {
    return "frame " + std::to_string(frames_[target]);
  }
  [[nodiscard]] std::vector<float> point_offsets(std::size_t target) const override {
    return from_first(points_, frames_[target]);
  }
  [[nodiscard]] std::vector<float> normal_offsets(std::size_t target) const override {
    return from_first(normals_, frames_[target]);
  }
  void weights(std::size_t frame, std::span<float> result) const override {
    std::ranges::fill(result, 0.0F);
    const int target = target_of_frame_[frame];
    if (target >= 0) result[static_cast<std::size_t>(target)] = 1.0F;
  }

 private:
  static std::vector<float> from_first(const FramePoints& values, std::size_t frame) {
    const std::span<const float> there = values(frame);
    std::vector<float> offsets(there.begin(), there.end());
    std::ranges::transform(offsets, values(0), offsets.begin(), std::minus<>());
    return offsets;
  }

  FramePoints points_, normals_;
  std::vector<int> target_of_frame_;  // -1: the base mesh
  std::vector<std::size_t> frames_;   // of each target
};

class BasisTargets final : public MorphTargets {
 public:
  BasisTargets(MotionBasis basis, const FramePoints& normals)
      : basis_(std::move(basis)), normal_shapes_(fitted_shapes(basis_, normals)) {}

  [[nodiscard]] std::size_t count() const override { return basis_.count(); }
  [[nodiscard]] std::string name(std::size_t target) const override {
    return "shape " + std::to_string(target + 1);
  }
  [[nodiscard]] std::vector<float> point_offsets(std::size_t target) const override {
    return column(basis_.shapes, target);
  }
  [[nodiscard]] std::vector<float> normal_offsets(std::size_t target) const override {
    return column(normal_shapes_, target);
  }
  void weights(std::size_t frame, std::span<float> result) const override {
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k] = basis_.weights(static_cast<Eigen::Index>(frame), static_cast<Eigen::Index>(k));
    }
  }
  [[nodiscard]] double error() const override { return basis_.error; }

 private:
  static std::vector<float> column(const Eigen::MatrixXf& shapes, std::size_t k) {
    const auto shape = shapes.col(static_cast<Eigen::Index>(k));
    return {shape.begin(), shape.end()};
  }

  MotionBasis basis_;
  Eigen::MatrixXf normal_shapes_;
};

/// Fewer would hardly make a file smaller, more would fill the memory: 2^27 doubles are 1 GiB.
int most_shapes(std::size_t frame_count, std::size_t numbers) {
  constexpr std::size_t kMost = 200, kMostNumbers = std::size_t{1} << 27;
  return static_cast<int>(
      std::min({frame_count / 2, kMost, kMostNumbers / std::max<std::size_t>(numbers, 1)}));
}

}  // namespace

std::unique_ptr<MorphTargets> morph_targets(const FramePoints& points, const FramePoints& normals,
                                            std::size_t frame_count, double tolerance) {
  if (tolerance > 0) {
    const int most = most_shapes(frame_count, points(0).size());
    if (auto basis = find_motion_basis(points, frame_count, tolerance, most)) {
      return std::make_unique<BasisTargets>(std::move(*basis), normals);
    }
  }
  return std::make_unique<FrameTargets>(points, normals, frame_count);
}

}  // namespace limber
