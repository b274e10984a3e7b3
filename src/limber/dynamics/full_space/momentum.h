// Linear and angular momentum of a body, and how to set them right.
//
// The forces of stiffness warping do not add up to zero, and implicit steps with rotations held
// turn bodies a little: on a free body that acts as a ghost force. After each step the velocities
// get the rigid motion that restores both momenta (Desbrun et al. 1999, as used by Müller et al.
// 2002).
#pragma once

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/full_space/simulated_mesh.h"

namespace limber {

/// Keeps scratch memory: nothing is allocated after construction.
class MomentumKeeper {
 public:
  explicit MomentumKeeper(const SimulatedMesh& mesh);

  /// About the origin of the positions.
  [[nodiscard]] Momentum momentum(const Positions& positions, const Positions& velocities);
  /// About the mass centre.
  [[nodiscard]] Mat3 inertia(const Positions& positions);
  /// Adds to the velocities the rigid motion that gives them this momentum.
  void set_momentum(const Momentum& wanted, const Positions& positions, Positions& velocities);
  /// Takes from forces (n×3) what would move the body as a whole: ghost forces, in statics.
  void balance(const Positions& positions, Positions& forces);

  /// The velocity of the centre and the angular velocity of a rigid body with this momentum.
  [[nodiscard]] Momentum rigid_motion(const Momentum& wanted, const Positions& positions);

 private:
  const SimulatedMesh& mesh_;  // outlives this: both belong to one body
  Positions mass_times_;
  Positions arms_;  // from the centre, of the last rigid_motion()
};

/// The sum of forces and of their torques about the origin, times h.
[[nodiscard]] Momentum impulse(const Positions& positions, const Positions& forces, double h);

}  // namespace limber
