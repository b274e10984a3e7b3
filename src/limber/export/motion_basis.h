// A motion of many points as few shapes with weights that change from frame to frame.
//
//   x_f ≈ x_0 + Σ_k w_fk s_k        f: frame, k: shape
//
// A linear-modal body's frames lie in the span of its modes exactly; those of other bodies nearly
// do in that of somewhat more shapes, which are found from the frames alone. One pass of
// Gram–Schmidt adds a shape wherever those before leave a point too far off; a singular value
// decomposition of the weights then turns the span so that the first shapes show most, and no more
// are kept than the tolerance asks for.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace limber {

struct MotionBasis {
  Eigen::MatrixXf shapes;   ///< 3n×k, offsets from the first frame, m
  Eigen::MatrixXf weights;  ///< frames×k, the largest of each shape 1
  double error = 0;         ///< m: how far any point of any frame is off

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(shapes.cols()); }
};

/// x, y, z of every point in one frame, valid until the next call; always the same number of them.
using FramePoints = std::function<std::span<const float>(std::size_t frame)>;

/// Nothing where more than `most_shapes` would be needed for no point to be off by more than
/// `tolerance` (m), or where nothing moves that far.
[[nodiscard]] std::optional<MotionBasis> find_motion_basis(const FramePoints& frames,
                                                           std::size_t frame_count,
                                                           double tolerance, int most_shapes);

/// The shapes that other values of the points, such as normals, have best with the same weights
/// (least squares): m×k, offsets from those of the first frame.
[[nodiscard]] Eigen::MatrixXf fitted_shapes(const MotionBasis& basis, const FramePoints& values);

}  // namespace limber
