#include "server/shaken_support.h"

#include <array>
#include <cmath>
#include <numbers>

#include "limber/core/rotation.h"

namespace limber::studio {

namespace {

constexpr double kShakeHz = 3.5;

/// ẍ = ω²(target − x) − 2ωẋ, by the exact solution for a target that rests over the step.
void follow(const Vec3& target, double h, Vec3& x, Vec3& velocity) {
  const double omega = 2 * std::numbers::pi * kShakeHz;
  const double decay = std::exp(-omega * h);
  const Vec3 offset = x - target;
  const Vec3 slope = velocity + omega * offset;
  x = target + decay * (offset + h * slope);
  velocity = decay * (velocity - omega * h * slope);
}

/// Four points h apart whose natural spline is, between the inner two, the cubic with the given
/// ends and end velocities: the outer two follow from the spline's equations at the inner ones.
std::array<Vec3, 4> spline_points(const Vec3& from, const Vec3& from_velocity, const Vec3& to,
                                  const Vec3& to_velocity, double h) {
  const Vec3 way = to - from;
  const Vec3 a = (6 / h * way - 4 * from_velocity - 2 * to_velocity) / h;
  const Vec3 b = (-6 / h * way + 2 * from_velocity + 4 * to_velocity) / h;
  return {from - way + h * h / 6 * (4 * a + b), from, to, to + way + h * h / 6 * (a + 4 * b)};
}

}  // namespace

void ShakenSupport::set_target(const Vec3& position, const Eigen::Quaterniond& rotation) {
  p_target_ = position;
  r_target_ = rotation_log(rotation.normalized().toRotationMatrix());
}

void ShakenSupport::step(double h, double size) {
  before_ = now_;
  follow(p_target_, h, now_.p, now_.p_velocity);
  follow(r_target_, h, now_.r, now_.r_velocity);
  const auto settle = [](const Vec3& target, double unit, Vec3& x, Vec3& velocity) {
    if (!target.isZero(0) || x.norm() > 1e-7 * unit || velocity.norm() > 1e-6 * unit) return;
    x.setZero();
    velocity.setZero();
  };
  settle(p_target_, size, now_.p, now_.p_velocity);
  settle(r_target_, 1, now_.r, now_.r_velocity);
}

void ShakenSupport::move_origin(const Vec3& way) {
  before_.p -= way;
  now_.p -= way;
  p_target_.setZero();
}

void ShakenSupport::jump(const Vec3& position) {
  reset();
  before_.p = now_.p = p_target_ = position;
}

void ShakenSupport::reset() {
  before_ = now_ = {};
  p_target_.setZero();
  r_target_.setZero();
}

FrameState ShakenSupport::shaken(const FrameState& scene, const State& state) const {
  const Mat3 turn = rotation_exp(state.r);
  const Vec3 spin = mean_rotation(state.r) * state.r_velocity;  // R~ is the left Jacobian of exp
  const Vec3 arm = turn * (scene.position - pivot_);
  FrameState result;
  result.position = pivot_ + state.p + arm;
  result.rotation = turn * scene.rotation;
  result.velocity = state.p_velocity + spin.cross(arm) + turn * scene.velocity;
  result.angular_velocity = spin + turn * scene.angular_velocity;
  return result;
}

SupportMotion ShakenSupport::over_step(const SupportMotion& scene, double t, double h) const {
  const FrameState from = shaken(scene.at(t), before_);
  const FrameState to = shaken(scene.at(t + h), now_);
  const std::array<Vec3, 4> places =
      spline_points(from.position, from.velocity, to.position, to.velocity, h);
  // Turns since the start of the step; their rates are those of the rotation vector.
  const Vec3 turn = rotation_log(to.rotation * from.rotation.transpose());
  const Vec3 rate = mean_rotation(turn).inverse() * to.angular_velocity;
  const std::array<Vec3, 4> turns =
      spline_points(Vec3::Zero(), from.angular_velocity, turn, rate, h);
  std::vector<SupportKey> keys(4);
  for (std::size_t k = 0; k < 4; ++k) {
    keys[k].time = t + (static_cast<double>(k) - 1) * h;
    keys[k].position = places[k];
    keys[k].rotation = Eigen::Quaterniond(Mat3(rotation_exp(turns[k]) * from.rotation));
  }
  return SupportMotion(keys);
}

}  // namespace limber::studio
