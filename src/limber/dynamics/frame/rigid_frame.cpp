#include "limber/dynamics/frame/rigid_frame.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "limber/core/rotation.h"

namespace limber {

RigidFrame::RigidFrame(double mass, const Vec3& rest_centre, const Mat3& rest_inertia,
                       const FrameState& start)
    : mass_(mass), rest_centre_(rest_centre), rest_inertia_(rest_inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(rest_inertia_);
  moments_ = principal.eigenvalues();
  Mat3 axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  axes_ = Eigen::Quaterniond(axes);
  principal_ = Eigen::Quaterniond(start.rotation) * axes_;
  const Vec3 arm = start.rotation * rest_centre_;
  centre_ = start.position + arm;
  velocity_ = start.velocity + start.angular_velocity.cross(arm);
  angular_momentum_ =
      start.rotation * rest_inertia_ * start.rotation.transpose() * start.angular_velocity;
  shape_.inertia = rest_inertia_;
  inverse_inertia_ = rest_inertia_.inverse();
}

void RigidFrame::set_mass_motion(const MassMotion& motion) {
  if (motion.inertia != shape_.inertia) inverse_inertia_ = motion.inertia.inverse();
  shape_ = motion;
}

Mat3 RigidFrame::rotation() const { return (principal_ * axes_.conjugate()).toRotationMatrix(); }

Mat3 RigidFrame::inverse_inertia() const {
  const Mat3 R = rotation();
  return R * inverse_inertia_ * R.transpose();
}

Vec3 RigidFrame::angular_velocity() const {
  const Mat3 R = rotation();
  return R * (inverse_inertia_ * (R.transpose() * angular_momentum_ - shape_.spin_momentum));
}

namespace {

/// Cosine and sine of half an angle. Substeps turn by little: the series then is exact to rounding
/// (0.1¹⁴/14! < 1e-24) and costs a third.
void half_turn(double angle, double& c, double& s) {
  const double x = angle / 2, t = x * x;
  if (t < 0.01) {
    c = 1 + t * (-1.0 / 2 +
                 t * (1.0 / 24 +
                      t * (-1.0 / 720 + t * (1.0 / 40320 + t * (-1.0 / 3628800 + t / 479001600)))));
    s = x *
        (1 + t * (-1.0 / 6 + t * (1.0 / 120 +
                                  t * (-1.0 / 5040 + t * (1.0 / 362880 + t * (-1.0 / 39916800))))));
  } else {
    c = std::cos(x);
    s = std::sin(x);
  }
}

}  // namespace

/// Turns for a time h as the rigid body of the rest shape with this angular momentum, world.
void RigidFrame::turn_freely(const Vec3& rest_momentum, double h) {
  Vec3 momentum = principal_.conjugate() * rest_momentum;
  double w = principal_.w();
  Vec3 v = principal_.vec();
  // Products with quaternions about an axis, of which two of four numbers are zero.
  const auto turn = [&](int k, double time) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    double c, s;
    half_turn(momentum[k] / moments_[k] * time, c, s);
    const double w0 = w, vi = v[i], mi = momentum[i];
    w = w0 * c - v[k] * s;
    v[k] = v[k] * c + w0 * s;
    v[i] = vi * c + v[j] * s;
    v[j] = v[j] * c - vi * s;
    const double cosine = (c - s) * (c + s), sine = 2 * s * c;
    momentum[i] = cosine * mi + sine * momentum[j];
    momentum[j] = cosine * momentum[j] - sine * mi;
  };
  turn(0, h / 2);
  turn(1, h / 2);
  turn(2, h);
  turn(1, h / 2);
  turn(0, h / 2);
  principal_ = Eigen::Quaterniond(w, v.x(), v.y(), v.z()).normalized();
}

void RigidFrame::drift(double h) {
  centre_ += h * velocity_;
  const Vec3 spin = principal_.conjugate() * angular_velocity();
  turn_freely(principal_ * moments_.cwiseProduct(spin), h);
}

/// A few passes: each shrinks the error by the angle that the frame turns by.
void RigidFrame::drift_to(double h) {
  constexpr int kPasses = 4;
  const Eigen::Quaterniond start = principal_;
  Vec3 last = Vec3::Constant(std::numeric_limits<double>::infinity());
  for (int pass = 0; pass < kPasses; ++pass) {
    const Vec3 spin = principal_.conjugate() * angular_velocity();
    const Vec3 momentum = principal_ * moments_.cwiseProduct(spin);
    if ((momentum - last).squaredNorm() <= 1e-32 * momentum.squaredNorm()) break;  // rounding
    last = momentum;
    principal_ = start;
    turn_freely(momentum, h);
  }
  centre_ += h * velocity_;
}

void RigidFrame::kick(double h, const Vec3& gravity, const Wrench& wrench) {
  velocity_ += h * (gravity + wrench.force / mass_);
  angular_momentum_ += h * wrench.torque;
}

void RigidFrame::push(const Vec3& impulse, const Vec3& angular_impulse) {
  velocity_ += impulse / mass_;
  angular_momentum_ += angular_impulse;
}

void RigidFrame::shift(const Vec3& way, const Vec3& turn) {
  centre_ += way;
  principal_ = Eigen::Quaterniond(rotation_exp(turn)) * principal_;
  principal_.normalize();
}

void RigidFrame::place(const Vec3& position, const Mat3& rotation) {
  angular_momentum_ = rotation * (this->rotation().transpose() * angular_momentum_);
  principal_ = Eigen::Quaterniond(rotation) * axes_;
  centre_ = position + rotation * local_centre();
}

void RigidFrame::set_velocity(const Vec3& velocity, const Vec3& angular_velocity) {
  velocity_ = velocity;
  const Mat3 R = rotation();
  angular_momentum_ =
      R * (shape_.inertia * (R.transpose() * angular_velocity) + shape_.spin_momentum);
}

/// Euler's equation: J α = τ − ω×Jω.
Vec3 RigidFrame::angular_acceleration(const Vec3& torque) const {
  const Mat3 R = rotation();
  const Vec3 omega = angular_velocity();
  const Vec3 momentum = R * (shape_.inertia * (R.transpose() * omega));
  return R * (inverse_inertia_ * (R.transpose() * (torque - omega.cross(momentum))));
}

FrameState RigidFrame::state(const Vec3& gravity, const Wrench& wrench) const {
  FrameState frame;
  const Mat3 R = rotation();
  const Vec3 omega = inverse_inertia_ * (R.transpose() * angular_momentum_ - shape_.spin_momentum);
  frame.rotation = R;
  frame.angular_velocity = R * omega;
  // Euler's equation: J α = τ − ω×Jω, in the frame.
  frame.angular_acceleration = R * (inverse_inertia_ * (R.transpose() * wrench.torque -
                                                        omega.cross(Vec3(shape_.inertia * omega))));
  const Vec3 arm = frame.rotation * local_centre();
  const Vec3 arm_velocity = frame.angular_velocity.cross(arm);
  frame.position = centre_ - arm;
  frame.velocity = velocity_ - arm_velocity - frame.rotation * shape_.shift_rate;
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
  field.uniform = field.gradient * local_centre() - to_frame * wrench.force / mass_;
  return field;
}

double RigidFrame::kinetic_energy() const {
  const Mat3 R = rotation();
  const Vec3 omega = R.transpose() * angular_velocity();
  return mass_ * velocity_.squaredNorm() / 2 + omega.dot(shape_.inertia * omega) / 2;
}

bool RigidFrame::is_finite() const {
  return centre_.allFinite() && velocity_.allFinite() && angular_momentum_.allFinite() &&
         principal_.coeffs().allFinite();
}

void RigidFrame::archive(StateArchive& state) {
  state.raw(principal_.coeffs().data(), 4 * sizeof(double));
  for (Vec3* vector : {&centre_, &velocity_, &angular_momentum_, &shape_.shift, &shape_.shift_rate,
                       &shape_.spin_momentum}) {
    state.raw(vector->data(), 3 * sizeof(double));
  }
  state.raw(shape_.inertia.data(), 9 * sizeof(double));
  state.raw(inverse_inertia_.data(), 9 * sizeof(double));
}

}  // namespace limber
