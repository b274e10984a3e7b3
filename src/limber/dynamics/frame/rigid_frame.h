// The frame of a free body: it moves as a rigid body with the body's mass and inertia, while the
// modes vibrate in it (Hauser et al. 2003, section 3.4.2, eqs. 17-21).
//
// Its state is the mass centre and its velocity, the rotation, and the angular momentum L of the
// whole body about the mass centre, what the modes carry included. The shape in the frame may
// deform and move: its mass centre's shift and its own angular momentum l are taken off, so that
// mass centre and both momenta of the body as it is drawn change by outer forces alone:
//   x = c + R (X + u − X_c − s),   ω = R I(q)⁻¹ (Rᵀ L − l).
//
// A step in flight is drift, kick, drift: half the step without loads, the loads' momentum at
// once, the other half. Under constant gravity the path is the exact parabola; a rigid body keeps
// its angular momentum to rounding and its energy bounded, since the rotation is split into turns
// about the principal axes at rest (Dullweber, Leimkuhler & McLachlan 1997), each solved exactly.
#pragma once

#include <Eigen/Geometry>

#include "limber/core/state_archive.h"
#include "limber/dynamics/frame/acceleration_field.h"
#include "limber/dynamics/frame/mass_motion.h"

namespace limber {

class RigidFrame {
 public:
  /// At rest, mass centre and inertia about it in the frame; starts where `start` stands, with its
  /// velocities.
  RigidFrame(double mass, const Vec3& rest_centre, const Mat3& rest_inertia,
             const FrameState& start);

  /// Forces on the body besides gravity, in world coordinates, torque about the mass centre.
  struct Wrench {
    Vec3 force = Vec3::Zero();   // N
    Vec3 torque = Vec3::Zero();  // N·m
  };

  /// What the shape in the frame does: from now on the frame turns as that leaves it to.
  void set_mass_motion(const MassMotion& motion);
  [[nodiscard]] const MassMotion& mass_motion() const { return shape_; }
  /// Moves for a time h without loads, turning as the shape of now leaves it to.
  void drift(double h);
  /// The same backwards in time: the shape is that of the end. Both halves of a step together are
  /// then of second order also while the shape moves.
  void drift_to(double h);
  /// Adds the momentum of loads that act for a time h.
  void kick(double h, const Vec3& gravity, const Wrench& wrench);
  /// Adds momenta.
  void push(const Vec3& impulse, const Vec3& angular_impulse);
  /// Moves at once, velocities apart.
  void shift(const Vec3& way, const Vec3& turn);
  /// The rest coordinates' origin at `position`, turned by `rotation`; momenta turn with the body.
  void place(const Vec3& position, const Mat3& rotation);
  /// Of the mass centre and of the frame.
  void set_velocity(const Vec3& velocity, const Vec3& angular_velocity);

  /// The frame with its accelerations under these loads.
  [[nodiscard]] FrameState state(const Vec3& gravity, const Wrench& wrench) const;
  /// What the modes feel in this frame: gravity accelerates body and frame alike and leaves them
  /// alone, exactly.
  [[nodiscard]] AccelerationField field(const Wrench& wrench) const;

  [[nodiscard]] const Vec3& mass_centre() const { return centre_; }
  [[nodiscard]] const Vec3& velocity() const { return velocity_; }
  /// X_c + s, in the frame.
  [[nodiscard]] Vec3 local_centre() const { return rest_centre_ + shape_.shift; }
  [[nodiscard]] const Vec3& local_centre_rate() const { return shape_.shift_rate; }
  [[nodiscard]] const Mat3& rest_inertia() const { return rest_inertia_; }
  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] Mat3 rotation() const;
  [[nodiscard]] Vec3 angular_velocity() const;
  /// R I(q)⁻¹ Rᵀ.
  [[nodiscard]] Mat3 inverse_inertia() const;
  /// Principal axes (columns, world) and moments of inertia at rest.
  [[nodiscard]] Mat3 principal_axes() const { return principal_.toRotationMatrix(); }
  [[nodiscard]] const Vec3& principal_moments() const { return moments_; }
  /// Of the frame's motion, without what moves in it.
  [[nodiscard]] double kinetic_energy() const;
  /// About the mass centre, world.
  [[nodiscard]] const Vec3& angular_momentum() const { return angular_momentum_; }
  [[nodiscard]] bool is_finite() const;

  void archive(StateArchive& state);

 private:
  [[nodiscard]] Vec3 angular_acceleration(const Vec3& torque) const;
  void turn_freely(const Vec3& rest_momentum, double h);

  double mass_ = 0;        // kg
  Vec3 rest_centre_;       // in the frame
  Mat3 rest_inertia_;      // about the mass centre, in the frame, kg·m²
  Vec3 moments_;           // principal moments of inertia at rest
  Quaternion axes_;        // principal axes at rest, in the frame
  Quaternion principal_;   // the same in the world
  Vec3 centre_;            // in the world
  Vec3 velocity_;          // of the mass centre
  Vec3 angular_momentum_;  // L, in the world
  MassMotion shape_;
  Mat3 inverse_inertia_;  // I(q)⁻¹, in the frame
};

}  // namespace limber
