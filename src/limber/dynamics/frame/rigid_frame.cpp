#include "limber/dynamics/frame/rigid_frame.h"

#include <Eigen/Eigenvalues>
#include <numeric>

#include "limber/core/rotation.h"

namespace limber {

namespace {

/// Σ m_ij (y_i·y_j I − y_i y_jᵀ): the inertia of the shape functions' linear field, exact for a
/// rigid turn.
Mat3 inertia_about(const ModalModel& body, const Vec3& centre) {
  const Eigen::Map<const Positions> X = body.rest_positions();
  Mat3 moments = Mat3::Zero();  // Σ m_ij y_i y_jᵀ
  for (int i = 0; i < body.node_count(); ++i) {
    Vec3 weighted = Vec3::Zero();
    for (int entry = body.mass.offsets[i]; entry < body.mass.offsets[i + 1]; ++entry) {
      weighted += body.mass.values[entry] * (X.row(body.mass.columns[entry]).transpose() - centre);
    }
    moments += (X.row(i).transpose() - centre) * weighted.transpose();
  }
  return moments.trace() * Mat3::Identity() - moments;
}

RigidMass rigid_mass(const ModalModel& body) {
  RigidMass rigid;
  rigid.mass = std::accumulate(body.mass.row_sums.begin(), body.mass.row_sums.end(), 0.0);
  for (int i = 0; i < body.node_count(); ++i) {
    rigid.centre += body.mass.row_sums[i] / rigid.mass * body.rest_positions().row(i).transpose();
  }
  rigid.inertia = inertia_about(body, rigid.centre);
  return rigid;
}

}  // namespace

RigidFrame::RigidFrame(const ModalModel& body, const FrameState& start)
    : RigidFrame(rigid_mass(body), start) {}

RigidFrame::RigidFrame(const RigidMass& mass, const FrameState& start)
    : mass_(mass.mass), rest_centre_(mass.centre), inertia_(mass.inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(inertia_);
  moments_ = principal.eigenvalues();
  Mat3 axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  axes_ = Eigen::Quaterniond(axes);
  principal_ = Eigen::Quaterniond(start.rotation) * axes_;
  const Vec3 arm = start.rotation * rest_centre_;
  centre_ = start.position + arm;
  velocity_ = start.velocity + start.angular_velocity.cross(arm);
  angular_momentum_ =
      start.rotation * inertia_ * start.rotation.transpose() * start.angular_velocity;
}

Mat3 RigidFrame::rotation() const { return (principal_ * axes_.conjugate()).toRotationMatrix(); }

void RigidFrame::drift(double h) {
  centre_ += h * velocity_;
  Vec3 momentum = principal_.conjugate() * angular_momentum_;
  const auto turn = [&](int axis, double time) {
    const double angle = momentum[axis] / moments_[axis] * time;
    const Eigen::Quaterniond rotation(Eigen::AngleAxisd(angle, Vec3::Unit(axis)));
    principal_ = principal_ * rotation;
    momentum = rotation.conjugate() * momentum;
  };
  turn(0, h / 2);
  turn(1, h / 2);
  turn(2, h);
  turn(1, h / 2);
  turn(0, h / 2);
  principal_.normalize();
}

void RigidFrame::kick(double h, const Vec3& gravity, const Wrench& wrench) {
  velocity_ += h * (gravity + wrench.force / mass_);
  angular_momentum_ += h * wrench.torque;
}

Vec3 RigidFrame::angular_velocity() const {
  const Vec3 momentum = principal_.conjugate() * angular_momentum_;
  return principal_ * momentum.cwiseQuotient(moments_);
}

/// Euler's equation: J α = τ − ω×L.
Vec3 RigidFrame::angular_acceleration(const Vec3& torque) const {
  const Vec3 rate = torque - angular_velocity().cross(angular_momentum_);
  return principal_ * (principal_.conjugate() * rate).cwiseQuotient(moments_);
}

FrameState RigidFrame::state(const Vec3& gravity, const Wrench& wrench) const {
  FrameState frame;
  frame.rotation = rotation();
  frame.angular_velocity = angular_velocity();
  frame.angular_acceleration = angular_acceleration(wrench.torque);
  const Vec3 arm = frame.rotation * rest_centre_;
  const Vec3 arm_velocity = frame.angular_velocity.cross(arm);
  frame.position = centre_ - arm;
  frame.velocity = velocity_ - arm_velocity;
  frame.acceleration = gravity + wrench.force / mass_ - frame.angular_acceleration.cross(arm) -
                       frame.angular_velocity.cross(arm_velocity);
  return frame;
}

AccelerationField RigidFrame::field(const Wrench& wrench) const {
  const Mat3 to_frame = rotation().transpose();
  const Vec3 omega = to_frame * angular_velocity();
  const Vec3 alpha = to_frame * angular_acceleration(wrench.torque);
  AccelerationField field;
  field.spin = omega;
  field.gradient = skew(alpha) + skew(omega) * skew(omega);
  field.uniform = field.gradient * rest_centre_ - to_frame * wrench.force / mass_;
  return field;
}

void RigidFrame::archive(StateArchive& state) {
  state.numbers(principal_.coeffs());
  state.numbers(centre_);
  state.numbers(velocity_);
  state.numbers(angular_momentum_);
}

double RigidFrame::kinetic_energy() const {
  return mass_ * velocity_.squaredNorm() / 2 + angular_momentum_.dot(angular_velocity()) / 2;
}

}  // namespace limber
