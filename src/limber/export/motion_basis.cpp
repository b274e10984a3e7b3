#include "limber/export/motion_basis.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace limber {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Of what the tolerance allows, the part that the span of the first pass may leave: the rest is
/// for leaving shapes out again.
constexpr double kSpanShare = 0.25;

class Offsets {
 public:
  explicit Offsets(const FramePoints& frames) : frames_(frames), first_(doubles(frames(0))) {}

  [[nodiscard]] VectorXd of(std::size_t frame) const { return doubles(frames_(frame)) - first_; }
  [[nodiscard]] Index size() const { return first_.size(); }

 private:
  static VectorXd doubles(std::span<const float> values) {
    return Eigen::Map<const Eigen::VectorXf>(values.data(), static_cast<Index>(values.size()))
        .cast<double>();
  }

  const FramePoints& frames_;  // outlives this: both live in one call
  VectorXd first_;
};

double farthest(const VectorXd& offsets) {
  return std::sqrt(Eigen::Map<const Eigen::Matrix3Xd>(offsets.data(), 3, offsets.size() / 3)
                       .colwise()
                       .squaredNorm()
                       .maxCoeff());
}

/// Orthonormal shapes whose span comes near to every frame, and the frames in them.
struct Span {
  MatrixXd shapes;   // 3n×r
  MatrixXd weights;  // frames×r
};

std::optional<Span> span_of(const Offsets& offsets, std::size_t frame_count, double tolerance,
                            Index most) {
  MatrixXd shapes(offsets.size(), most);
  MatrixXd weights = MatrixXd::Zero(static_cast<Index>(frame_count), most);
  Index count = 0;
  for (std::size_t frame = 0; frame < frame_count; ++frame) {
    VectorXd rest = offsets.of(frame);
    const auto row = static_cast<Index>(frame);
    for (int round = 0; round < 2; ++round) {  // twice is enough (Kahan, in Parlett 1980)
      const VectorXd part = shapes.leftCols(count).transpose() * rest;
      rest -= shapes.leftCols(count) * part;
      weights.row(row).head(count) += part.transpose();
    }
    if (farthest(rest) <= tolerance) continue;
    if (count == most) return std::nullopt;
    weights(row, count) = rest.norm();
    shapes.col(count) = rest.normalized();
    ++count;
  }
  return Span{shapes.leftCols(count), weights.leftCols(count)};
}

double error_of(const Offsets& offsets, const MatrixXd& shapes, const MatrixXd& weights,
                Index count) {
  double error = 0;
  for (Index frame = 0; frame < weights.rows(); ++frame) {
    const VectorXd rest = offsets.of(static_cast<std::size_t>(frame)) -
                          shapes.leftCols(count) * weights.row(frame).head(count).transpose();
    error = std::max(error, farthest(rest));
  }
  return error;
}

/// The fewest of the first shapes that do: by bisection, since more of them are better.
Index fewest(const Offsets& offsets, const MatrixXd& shapes, const MatrixXd& weights,
             double tolerance) {
  Index low = 0, high = shapes.cols();  // all are enough, by the first pass
  while (low + 1 < high) {
    const Index middle = (low + high) / 2;
    (error_of(offsets, shapes, weights, middle) <= tolerance ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::optional<MotionBasis> find_motion_basis(const FramePoints& frames, std::size_t frame_count,
                                             double tolerance, int most_shapes) {
  const Offsets offsets(frames);
  const std::optional<Span> span =
      span_of(offsets, frame_count, kSpanShare * tolerance, std::max(most_shapes, 0));
  if (!span || span->shapes.cols() == 0) return std::nullopt;
  // The right singular vectors of the weights, largest first. Squared singular values lose what lies
  // below 1e-8 of the largest, which no tolerance asks for.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(span->weights.transpose() * span->weights);
  const MatrixXd turn = eigen.eigenvectors().rowwise().reverse();
  const MatrixXd weights = span->weights * turn;
  const MatrixXd shapes = span->shapes * turn;
  const Index count = fewest(offsets, shapes, weights, tolerance);
  const Eigen::RowVectorXd largest = weights.leftCols(count).cwiseAbs().colwise().maxCoeff();
  MotionBasis basis;
  basis.shapes = (shapes.leftCols(count) * largest.asDiagonal()).cast<float>();
  basis.weights = (weights.leftCols(count) * largest.cwiseInverse().asDiagonal()).cast<float>();
  basis.error = error_of(offsets, basis.shapes.cast<double>(), basis.weights.cast<double>(), count);
  return basis;
}

Eigen::MatrixXf fitted_shapes(const MotionBasis& basis, const FramePoints& values) {
  const Offsets offsets(values);
  const MatrixXd W = basis.weights.cast<double>();
  MatrixXd sums = MatrixXd::Zero(offsets.size(), W.cols());  // offsetsᵀ W
  for (Index frame = 0; frame < W.rows(); ++frame) {
    sums.noalias() += offsets.of(static_cast<std::size_t>(frame)) * W.row(frame);
  }
  // The columns of W are orthogonal up to rounding: normal equations lose nothing.
  const MatrixXd gram = W.transpose() * W;
  return gram.ldlt().solve(sums.transpose()).transpose().cast<float>();
}

}  // namespace limber
