// Linear and angular momentum of a body, and how to set them right.
//
// The forces of stiffness warping do not add up to zero, and implicit steps with rotations held
// turn bodies a little: on a free body that acts as a ghost force. After each step the velocities
// get the rigid motion that restores both momenta (Desbrun et al. 1999, as used by Müller et al.
// 2002).
#pragma once

#include "limber/dynamics/full_space/simulated_mesh.h"

namespace limber {

struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< kg·m/s
  Vec3 angular = Vec3::Zero();  ///< about the origin, kg·m²/s

  Momentum& operator+=(const Momentum& other) {
    linear += other.linear;
    angular += other.angular;
    return *this;
  }
};

/// Keeps scratch memory: nothing is allocated after construction.
class MomentumKeeper {
 public:
  explicit MomentumKeeper(const SimulatedMesh& mesh);

  [[nodiscard]] Momentum momentum(const Positions& positions, const Positions& velocities);
  /// Adds to the velocities the rigid motion that gives them this momentum.
  void set_momentum(const Momentum& wanted, const Positions& positions, Positions& velocities);
  /// Takes from forces (n×3) what would move the body as a whole: ghost forces, in statics.
  void balance(const Positions& positions, Positions& forces);

 private:
  /// The rigid motion (linear, angular about the centre) with this momentum; arms_ from there.
  [[nodiscard]] Momentum rigid_motion(const Momentum& wanted, const Positions& positions);

  const SimulatedMesh& mesh_;  // outlives this: both belong to one body
  Positions mass_times_;
  Positions arms_;
};

/// The sum of forces and of their torques about the origin, times h.
[[nodiscard]] Momentum impulse(const Positions& positions, const Positions& forces, double h);

}  // namespace limber
