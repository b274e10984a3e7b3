// Outer forces that depend on where nodes are going: handles, ground. All in frame coordinates.
#pragma once

#include <array>
#include <vector>

#include "limber/fem/block_matrix.h"

namespace limber {

/// A step from `start` to `end` = start + h v, frame coordinates, n×3 each. In statics h and v are
/// zero.
struct NodeMotion {
  const Positions& start;
  const Positions& end;
  const Positions& velocities;
  double h;
};

/// What acts on y = Σ weight_k · x_k of up to four free nodes: the matrix gets Σ_kl weight_k
/// weight_l · matrix at (row_k, row_l). A spring along one direction d is k d dᵀ.
struct AttachedBlock {
  static constexpr int kMostNodes = 4;

  int count = 0;
  std::array<int, kMostNodes> rows{};  ///< among the free nodes
  std::array<double, kMostNodes> weights{};
  Mat3 matrix = Mat3::Zero();  ///< symmetric, positive semidefinite

  static AttachedBlock at_row(int row, const Mat3& matrix) {
    return {1, {row, 0, 0, 0}, {1, 0, 0, 0}, matrix};
  }
  /// y (3) for stacked values of the free nodes.
  [[nodiscard]] Vec3 sum(const Vector& x) const {
    Vec3 y = weights[0] * x.segment<3>(3 * rows[0]);
    for (int k = 1; k < count; ++k) y += weights[k] * x.segment<3>(3 * rows[k]);
    return y;
  }
  /// out += factor · Bᵀ matrix B x.
  void add_product(double factor, const Vector& x, Vector& out) const {
    const Vec3 force = factor * (matrix * sum(x));
    for (int k = 0; k < count; ++k) out.segment<3>(3 * rows[k]) += weights[k] * force;
  }
};

/// A += the block, where A's pattern has all of its pairs. Else their diagonals get what is at
/// least as stiff, Σ_l |weight_k weight_l| · matrix, and the result is false.
bool add_to(const AttachedBlock& block, BlockMatrix& A);

class Attachment {
 public:
  virtual ~Attachment() = default;

  /// Fixes whatever is held while a linear system is solved: which nodes touch, how hard they rub.
  /// Returns whether that has changed. Later passes of a step change less, so that they end.
  virtual bool linearise(const NodeMotion& motion, int pass) = 0;
  /// Adds the forces (n×3) for the motion given.
  virtual void add_forces(const NodeMotion& motion, Positions& forces) const = 0;
  /// Appends elastic · (−∂f/∂x) + damping · (−∂f/∂v), as of linearise().
  virtual void add_blocks(double elastic, double damping,
                          std::vector<AttachedBlock>& blocks) const = 0;
  /// J; for line searches.
  [[nodiscard]] virtual double energy(const Positions& positions) const = 0;
  /// False: nothing acts, nothing needs to be asked.
  [[nodiscard]] virtual bool active() const = 0;
};

}  // namespace limber
