// Outer forces that depend on where nodes are going: handles, ground. All in frame coordinates.
#pragma once

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

/// What is added to a diagonal block of the matrix, symmetric.
struct AttachedBlock {
  int row = 0;  ///< among the free nodes
  Mat3 matrix;
};

class Attachment {
 public:
  virtual ~Attachment() = default;

  /// Fixes whatever is held while a linear system is solved: which nodes touch, how hard they rub.
  /// Returns whether that has changed. Later passes of a step change less, so that they end.
  virtual bool linearise(const NodeMotion& motion, int pass) = 0;
  /// Adds the forces (n×3) for the motion given.
  virtual void add_forces(const NodeMotion& motion, Positions& forces) const = 0;
  /// Appends elastic · (−∂f/∂x) + damping · (−∂f/∂v), as of linearise(): diagonal blocks only.
  virtual void add_blocks(double elastic, double damping,
                          std::vector<AttachedBlock>& blocks) const = 0;
  /// J; for line searches in statics.
  [[nodiscard]] virtual double energy(const Positions& positions) const = 0;
  /// False: nothing acts, nothing needs to be asked.
  [[nodiscard]] virtual bool active() const = 0;
};

}  // namespace limber
