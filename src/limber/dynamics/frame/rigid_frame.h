// The frame of a free body: it moves as a rigid body with the body's mass and inertia, while the
// modes vibrate in it (Hauser et al. 2003, section 3.5).
//
// One step is drift, kick, drift: half the step without loads, the loads' momentum at once, the
// other half. Under constant gravity the path is the exact parabola; without torque the angular
// momentum is kept to rounding and the energy stays bounded, since the rotation is split into
// turns about the principal axes (Dullweber, Leimkuhler & McLachlan 1997), each solved exactly.
#pragma once

#include <Eigen/Geometry>

#include "limber/core/state_archive.h"
#include "limber/dynamics/modal/modal_force.h"

namespace limber {

/// What a body weighs and how it resists turning.
struct RigidMass {
  double mass = 0;                  // kg
  Vec3 centre = Vec3::Zero();       // of mass, in the frame
  Mat3 inertia = Mat3::Identity();  // about the centre, in the frame, kg·m²
};

class RigidFrame {
 public:
  /// Starts where `start` stands, with its velocities.
  RigidFrame(const RigidMass& mass, const FrameState& start);
  /// Starts where `start` stands, with its velocities.
  RigidFrame(const ModalModel& body, const FrameState& start);

  /// Forces on the body besides gravity, in world coordinates, torque about the mass centre.
  struct Wrench {
    Vec3 force = Vec3::Zero();   // N
    Vec3 torque = Vec3::Zero();  // N·m
  };

  /// Moves for a time h without loads.
  void drift(double h);
  /// Adds the momentum of loads that act for a time h.
  void kick(double h, const Vec3& gravity, const Wrench& wrench);

  /// The frame with its accelerations under these loads.
  [[nodiscard]] FrameState state(const Vec3& gravity, const Wrench& wrench) const;
  /// What the modes feel in this frame: gravity accelerates body and frame alike and leaves them
  /// alone, exactly.
  [[nodiscard]] AccelerationField field(const Wrench& wrench) const;

  [[nodiscard]] const Vec3& mass_centre() const { return centre_; }
  [[nodiscard]] const Mat3& inertia() const { return inertia_; }
  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] Mat3 rotation() const;
  [[nodiscard]] const Vec3& velocity() const { return velocity_; }
  [[nodiscard]] Vec3 angular_velocity() const;
  /// Principal moments of inertia, and their axes in the world, one a column.
  [[nodiscard]] const Vec3& moments() const { return moments_; }
  [[nodiscard]] Mat3 principal_axes() const { return principal_.toRotationMatrix(); }
  [[nodiscard]] double kinetic_energy() const;
  /// About the mass centre.
  [[nodiscard]] const Vec3& angular_momentum() const { return angular_momentum_; }

  void archive(StateArchive& state);

 private:
  [[nodiscard]] Vec3 angular_acceleration(const Vec3& torque) const;

  double mass_ = 0;               // kg
  Vec3 rest_centre_;              // in the frame
  Mat3 inertia_;                  // about the mass centre, in the frame, kg·m²
  Vec3 moments_;                  // principal moments of inertia
  Eigen::Quaterniond axes_;       // principal axes in the frame
  Eigen::Quaterniond principal_;  // principal axes in the world
  Vec3 centre_;                   // in the world
  Vec3 velocity_;                 // of the mass centre
  Vec3 angular_momentum_;         // in the world
};

}  // namespace limber
