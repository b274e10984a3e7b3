#include "limber/contact/joint.h"

#include <Eigen/Geometry>
#include <cmath>

namespace limber {

namespace {

Vec3 any_across(const Vec3& axis) {
  const Vec3 other = std::abs(axis.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  return axis.cross(other).normalized();
}

/// Two directions across the axis, then the axis.
std::array<Vec3, 3> across_first(const Vec3& axis) {
  const Vec3 t = any_across(axis);
  return {t, axis.cross(t), axis};
}

}  // namespace

std::array<Vec3, 3> Joint::anchor_places(const JointSpec& spec, double radius) {
  const Vec3 axis = spec.axis.norm() > 0 ? spec.axis.normalized() : Vec3(Vec3::UnitZ());
  return {spec.at, spec.at + radius * axis, spec.at + radius * any_across(axis)};
}

Joint::Joint(const JointSpec& spec, const std::array<BodyPoint, 3>& a,
             const std::array<BodyPoint, 3>& b, bool soft, double rest_distance)
    : spec_(spec), a_(a), b_(b), soft_(soft), rest_distance_(rest_distance) {
  impulses_.fill(Vec3::Zero());
}

void Joint::set_motor(double speed, double torque) {
  JointSpec changed = spec_;
  changed.motor_speed = speed;
  changed.motor_torque = torque;
  check(changed);
  spec_ = changed;
}

JointInput Joint::blank(const JointPose& pose, int pin) const {
  JointInput input;
  input.a = slot_a_;
  input.b = slot_b_;
  input.point_a = a_[pin];
  input.point_b = b_[pin];
  input.place = (pose.a[pin] + pose.b[pin]) / 2;
  return input;
}

/// A pin that holds along the first `rows` directions.
void Joint::add(const JointPose& pose, int pin, int rows, const std::array<Vec3, 3>& directions,
                ContactSolver& solver) {
  JointInput input = blank(pose, pin);
  input.directions = directions;
  input.rows = rows;
  for (int r = 0; r < 3; ++r) {
    const Vec3& d = directions[static_cast<std::size_t>(r)];
    input.error[r] = d.dot(pose.a[pin] - pose.b[pin]);
    input.drift[r] = d.dot(pose.drift[pin]);
    input.impulse[r] = d.dot(impulses_[blocks_]);
  }
  directions_[blocks_++] = directions;
  solver.add_joint(input);
}

void Joint::add_row(const JointPose& pose, int pin, bool angular, const Vec3& direction,
                    double error, const JointInput& like, ContactSolver& solver) {
  JointInput input = like;
  input.angular = angular;
  input.rows = 1;
  const Vec3 t = any_across(direction);
  input.directions = {direction, t, direction.cross(t)};
  input.error[0] = error;
  input.drift[0] = direction.dot(angular ? pose.spin : pose.drift[pin]);
  input.impulse[0] = direction.dot(impulses_[blocks_]);
  directions_[blocks_++] = input.directions;
  solver.add_joint(input);
}

/// lowest ≤ value ≤ highest, the value growing along the direction.
void Joint::limit(const JointPose& pose, bool angular, const Vec3& direction, double value,
                  ContactSolver& solver) {
  JointInput input = blank(pose, 0);
  input.limit = true;
  input.lowest = 0;
  if (std::isfinite(spec_.lowest))
    add_row(pose, 0, angular, direction, value - spec_.lowest, input, solver);
  if (std::isfinite(spec_.highest))
    add_row(pose, 0, angular, -direction, spec_.highest - value, input, solver);
}

void Joint::build_pins(const JointPose& pose, ContactSolver& solver) {
  const std::array<Vec3, 3> world{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  add(pose, 0, 3, world, solver);
  if (spec_.kind == JointKind::ball) return;
  // Soft bodies stretch between pins: there each holds in every direction.
  if (soft_) {
    add(pose, 1, 3, world, solver);
    add(pose, 2, 3, world, solver);
    return;
  }
  const Vec3 axis = (pose.b[1] - pose.b[0]).normalized();
  const Vec3 across = (pose.b[2] - pose.b[0]).normalized();
  add(pose, 1, 2, across_first(axis), solver);
  add(pose, 2, 1, {axis.cross(across), across, axis}, solver);
}

void Joint::build_hinge(const JointPose& pose, ContactSolver& solver) {
  const std::array<Vec3, 3> world{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  add(pose, 0, 3, world, solver);
  const Vec3 axis = (pose.b[1] - pose.b[0]).normalized();
  add(pose, 1, 2, across_first(axis), solver);
  pin_blocks_ = blocks_;
  const auto across = [&](const std::array<Vec3, 3>& side) {
    const Vec3 arm = side[2] - side[0];
    return Vec3(arm - arm.dot(axis) * axis);
  };
  const Vec3 from = across(pose.b), to = across(pose.a);
  angle_ = std::atan2(axis.dot(from.cross(to)), from.dot(to));
  if (spec_.motor_torque > 0) {
    JointInput input = blank(pose, 0);
    input.highest = h_ * spec_.motor_torque;
    input.lowest = -input.highest;
    input.target = spec_.motor_speed;
    add_row(pose, 0, true, axis, 0, input, solver);
  }
  limit(pose, true, axis, angle_, solver);
}

void Joint::build_slider(const JointPose& pose, ContactSolver& solver) {
  const Vec3 axis = (pose.b[1] - pose.b[0]).normalized();
  const Vec3 across = (pose.b[2] - pose.b[0]).normalized();
  add(pose, 0, 2, across_first(axis), solver);
  add(pose, 1, 2, across_first(axis), solver);
  add(pose, 2, 1, {axis.cross(across), across, axis}, solver);
  pin_blocks_ = blocks_;
  angle_ = axis.dot(pose.a[0] - pose.b[0]);
  limit(pose, false, axis, angle_, solver);
}

void Joint::build_distance(const JointPose& pose, ContactSolver& solver) {
  const Vec3 between = pose.a[0] - pose.b[0];
  const double length = between.norm();
  const Vec3 along = length > 0 ? Vec3(between / length) : Vec3(Vec3::UnitY());
  angle_ = length;
  pin_blocks_ = 0;
  if (std::isfinite(spec_.lowest) || std::isfinite(spec_.highest)) {
    limit(pose, false, along, length, solver);
  } else {
    add_row(pose, 0, false, along, length - rest_distance_, blank(pose, 0), solver);
    pin_blocks_ = blocks_;
  }
}

void Joint::build(const JointPose& pose, int slot_a, int slot_b, double h, ContactSolver& solver) {
  h_ = h;
  blocks_ = 0;
  first_ = solver.joint_count();
  slot_a_ = slot_a;
  slot_b_ = slot_b;
  switch (spec_.kind) {
    case JointKind::ball:
    case JointKind::weld:
      build_pins(pose, solver);
      pin_blocks_ = blocks_;
      break;
    case JointKind::hinge:
      build_hinge(pose, solver);
      break;
    case JointKind::slider:
      build_slider(pose, solver);
      break;
    case JointKind::distance:
      build_distance(pose, solver);
      break;
  }
}

void Joint::finish(const ContactSolver& solver) {
  const auto in_world = [this](int block, const Vec3& along) {
    Vec3 sum = Vec3::Zero();
    for (int r = 0; r < 3; ++r) sum += along[r] * directions_[block][static_cast<std::size_t>(r)];
    return sum;
  };
  // A rope has its one row as a limit, not as a pin.
  const int holding = spec_.kind == JointKind::distance ? blocks_ : pin_blocks_;
  Vec3 sum = Vec3::Zero();
  error_ = 0;
  for (int k = 0; k < blocks_; ++k) {
    const ContactSolver::JointResult result = solver.joint_result(first_ + k);
    impulses_[k] = in_world(k, result.impulse);
    // Beyond all numbers: the bodies are stopped by it, and nothing goes on from there.
    if (!impulses_[k].allFinite() || !result.total.allFinite() || !result.error.allFinite()) {
      impulses_[k].setZero();
      continue;
    }
    if (k < holding) sum += in_world(k, result.total);
    if (k < pin_blocks_) error_ = std::max(error_, result.error.norm());
  }
  force_ = solver.elapsed() > 0 ? sum.norm() / solver.elapsed() : 0;
  broken_ = broken_ || force_ > spec_.break_force;
}

void Joint::archive(StateArchive& state) {
  state.value(broken_);
  state.value(error_);
  state.value(force_);
  state.value(angle_);
  state.value(spec_.motor_speed);
  state.value(spec_.motor_torque);
  for (Vec3& impulse : impulses_) state.numbers(impulse);
}

}  // namespace limber
