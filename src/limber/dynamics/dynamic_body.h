// What every simulated body can do, whatever its method.
#pragma once

#include <span>

#include "limber/dynamics/frame_motion.h"

namespace limber {

struct SettleOptions {
  double tolerance = 1e-10;  ///< of the residual relative to the loads
  int most_iterations = 200;
};

struct SettleStatus {
  bool converged = false;
  int iterations = 0;
  double residual = 0;  ///< of the method's own equations, relative to the loads
};

class DynamicBody {
 public:
  virtual ~DynamicBody() = default;

  /// Goes on by h seconds.
  virtual void step(double h) = 0;
  /// To the static equilibrium under the loads of the present time, at rest. Without convergence
  /// the body stays at the best state found.
  virtual SettleStatus settle(const SettleOptions& options = {}) = 0;

  [[nodiscard]] virtual int node_count() const = 0;
  /// n×3, world coordinates.
  virtual void node_positions(Eigen::Ref<Positions> positions) const = 0;
  virtual void node_velocities(Eigen::Ref<Positions> velocities) const = 0;

  /// J. Of a body on a support: of its motion relative to the support.
  [[nodiscard]] virtual double kinetic_energy() const = 0;
  [[nodiscard]] virtual double elastic_energy() const = 0;

  /// Modal amplitudes; empty for methods without modes.
  [[nodiscard]] virtual std::span<const double> modal() const { return {}; }
  [[nodiscard]] virtual double time() const = 0;
  /// The support's frame, or the moving frame of a free body.
  [[nodiscard]] virtual const FrameState& frame() const = 0;
};

}  // namespace limber
