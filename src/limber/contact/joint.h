// Joints between two bodies, a body and an obstacle, or a body and the world.
//
// A joint is made of pins: pairs of points, one on each side, that coincide along some directions.
// Points are all that is asked of a body, so joints hold bodies of every method alike, and errors
// are measured, never summed up. A ball is one pin; a hinge two on its axis; a weld three; a slider
// three that may move along its axis; a distance one along the line between its points.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "limber/contact/contact_solver.h"
#include "limber/contact/participant.h"

namespace limber {

enum class JointKind { ball, hinge, weld, slider, distance };

struct JointSpec {
  JointKind kind = JointKind::ball;
  int a = kTheWorld, b = kTheWorld;  ///< participants
  Vec3 at = Vec3::Zero();            ///< world, at the time it is made
  Vec3 axis = Vec3::UnitZ();         ///< of hinges and sliders, world
  /// Where each side is held, instead of `at`: distances want both.
  std::optional<BodyPoint> point_a, point_b;
  std::optional<Vec3> at_b;  ///< world: the other end of a distance
  double radius = 0;         ///< between pins; 0: a quarter of the smaller body
  /// Hinges: rad, of a against b since it was made; sliders: m along the axis; distances: m.
  double lowest = -kForever, highest = kForever;
  double motor_speed = 0;         ///< hinges: rad/s of a against b
  double motor_torque = 0;        ///< hinges: the most, N m
  double break_force = kForever;  ///< N
  bool collide = false;           ///< whether the two bodies still touch each other
};

/// Throws Error for what cannot be: numbers out of range, limits in the wrong order, no axis.
void check(const JointSpec& joint);

/// Where a joint's pins are now on both sides.
struct JointPose {
  std::array<Vec3, 3> a, b;
  std::array<Vec3, 3> drift;  ///< velocity of an obstacle's pins, m/s
  Vec3 spin = Vec3::Zero();   ///< of an obstacle, rad/s
};

class Joint {
 public:
  /// The pins as points of both sides; which ones exist, and where, is settled by anchor_places().
  Joint(const JointSpec& spec, const std::array<BodyPoint, 3>& a, const std::array<BodyPoint, 3>& b,
        bool soft, double rest_distance);

  /// World places of the pins when a joint is made.
  [[nodiscard]] static std::array<Vec3, 3> anchor_places(const JointSpec& spec, double radius);

  [[nodiscard]] const JointSpec& spec() const { return spec_; }
  [[nodiscard]] const std::array<BodyPoint, 3>& points_a() const { return a_; }
  [[nodiscard]] const std::array<BodyPoint, 3>& points_b() const { return b_; }
  [[nodiscard]] bool broken() const { return broken_; }
  [[nodiscard]] double error() const { return error_; }  ///< m, the largest of the pins
  [[nodiscard]] double force() const { return force_; }  ///< N, the mean over the last step
  [[nodiscard]] double angle() const { return angle_; }  ///< rad, or m for sliders

  /// Appends what the solver needs for substeps of h seconds.
  void build(const JointPose& pose, int slot_a, int slot_b, double h, ContactSolver& solver);
  /// Takes the impulses of the step; breaks where their mean force is too large. A blow counts in
  /// whichever substep it comes, and the number of substeps does not decide what breaks.
  void finish(const ContactSolver& solver);
  void set_motor(double speed, double torque);
  void archive(StateArchive& state);

 private:
  void add(const JointPose& pose, int pin, int rows, const std::array<Vec3, 3>& directions,
           ContactSolver& solver);
  void add_row(const JointPose& pose, int pin, bool angular, const Vec3& direction, double error,
               const JointInput& like, ContactSolver& solver);
  void build_pins(const JointPose& pose, ContactSolver& solver);
  void build_hinge(const JointPose& pose, ContactSolver& solver);
  void build_slider(const JointPose& pose, ContactSolver& solver);
  void build_distance(const JointPose& pose, ContactSolver& solver);
  [[nodiscard]] JointInput blank(const JointPose& pose, int pin) const;
  void limit(const JointPose& pose, bool angular, const Vec3& direction, double value,
             ContactSolver& solver);

  static constexpr int kMostBlocks = 6;

  JointSpec spec_;
  std::array<BodyPoint, 3> a_, b_;
  bool soft_;
  double rest_distance_;
  bool broken_ = false;
  double error_ = 0, force_ = 0, angle_ = 0;
  int blocks_ = 0;      // of this step
  int first_ = 0;       // among the solver's joints
  int pin_blocks_ = 0;  // the first ones: those whose errors count
  int slot_a_ = -1, slot_b_ = -1;
  double h_ = 0;
  std::array<std::array<Vec3, 3>, kMostBlocks> directions_;
  std::array<Vec3, kMostBlocks> impulses_;  // world, of a substep
};

}  // namespace limber
