// A motion between key poses (Huang et al. 2011), as the pose editor plays it.
#pragma once

#include <vector>

#include "limber/core/types.h"
#include "server/curve.h"

namespace limber::studio {

/// How the modes behave: functions of the mode's place among the others, 0 to 1.
struct MotionCurves {
  Curve frequency{{0, 1}, {0, 0}};   ///< η: above 0 faster, below slower
  Curve damping{{0, 1}, {0, 0}};     ///< μ: 1 critically damped, −1 not at all
  Curve weight{{0, 1}, {0.5, 0.5}};  ///< γ_z of eq. 15: 1 keeps velocities, 0 keeps η and μ
  /// Of what γ_z leaves to the other two the part of γ_ω: 1 keeps η, 0 keeps μ.
  Curve share{{0, 1}, {0.5, 0.5}};
};

class PoseMotion {
 public:
  virtual ~PoseMotion() = default;

  [[nodiscard]] virtual int mode_count() const = 0;
  /// Both are answered within a frame: only the trajectories are made anew.
  virtual void set_curves(const MotionCurves& curves) = 0;
  /// One time a pose, ascending, s.
  virtual void set_times(const std::vector<double>& times) = 0;

  /// The nodes at a time, as key poses have them: one row each.
  [[nodiscard]] virtual Positions nodes(double time) = 0;
  /// The surface at a time, m, world.
  [[nodiscard]] virtual Positions surface(double time) = 0;
  /// z of one mode at a time, and its values in the key poses.
  [[nodiscard]] virtual double amplitude(int mode, double time) const = 0;
  [[nodiscard]] virtual std::vector<double> key_amplitudes(int mode) const = 0;
};

}  // namespace limber::studio
