#include "limber/dynamics/frame/frame_motion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

std::vector<Mat3> rotations(const std::vector<SupportKey>& keys, const std::string& where) {
  std::vector<Mat3> matrices;
  for (const SupportKey& key : keys) {
    const double length = key.rotation.norm();
    if (!(length > 0) || !std::isfinite(length)) {
      throw Error("the rotation of key " + std::to_string(matrices.size()) + " has no length",
                  where, "give a quaternion x y z w such as 0 0 0 1");
    }
    matrices.push_back(key.rotation.normalized().toRotationMatrix());
  }
  return matrices;
}

/// Of all rotation vectors of R the one nearest to `previous`: the angle plus whole turns. A half
/// turn more, where both ways are equally long, goes on in the same direction.
Vec3 nearest_rotation_vector(const Mat3& R, const Vec3& previous) {
  constexpr double kTurn = 2 * std::numbers::pi;
  const Vec3 w = rotation_log(R);
  double angle = w.norm();
  // Near whole turns the axis is that of the way so far: log alone would give rounding's.
  constexpr double kAxisFromLog = 1e-7;
  if (angle < kAxisFromLog && previous.norm() < 1) return w;
  const Vec3 axis = angle < kAxisFromLog ? previous.normalized() : Vec3(w / angle);
  angle = axis.dot(w);
  return (angle + kTurn * std::round((previous.dot(axis) - angle) / kTurn)) * axis;
}

}  // namespace

SupportMotion::SupportMotion(const std::vector<SupportKey>& keys, Interpolation interpolation,
                             const std::string& where) {
  std::vector<double> times;
  std::vector<Vec3> positions;
  for (const SupportKey& key : keys) {
    times.push_back(key.time);
    positions.push_back(key.position);
  }
  position_ = Path(times, positions, interpolation, where);
  const std::vector<Mat3> R = rotations(keys, where);
  if (interpolation == Interpolation::smooth) {
    std::vector<Vec3> vectors{Vec3::Zero()};
    for (std::size_t k = 1; k < keys.size(); ++k) {
      vectors.push_back(nearest_rotation_vector(R[k] * R[0].transpose(), vectors.back()));
    }
    legs_.push_back({R[0], Path(times, vectors, interpolation, where)});
  } else {
    for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
      const Vec3 turn = rotation_log(R[k + 1] * R[k].transpose());
      legs_.push_back({R[k], Path({times[k], times[k + 1]}, {Vec3::Zero(), turn}, interpolation)});
    }
    if (legs_.empty()) legs_.push_back({R[0], Path()});
  }
  turns_ = std::any_of(R.begin(), R.end(), [&](const Mat3& other) { return other != R[0]; });
  find_jumps();
}

const SupportMotion::Leg& SupportMotion::leg_at(double time) const {
  const std::vector<double>& times = position_.times();
  const auto next = std::upper_bound(times.begin(), times.end(), time);
  const std::size_t segment = next == times.begin() ? 0 : next - times.begin() - 1;
  return legs_[std::min(segment, legs_.size() - 1)];
}

FrameState SupportMotion::at(double time) const {
  FrameState state;
  const Path::Sample position = position_.at(time);
  state.position = position.value;
  state.velocity = position.velocity;
  state.acceleration = position.acceleration;
  if (legs_.empty()) return state;
  const Leg& leg = leg_at(time);
  state.rotation = leg.start;
  if (!turns_) return state;
  const Path::Sample r = leg.vector.at(time);
  // d/dt exp[r]× = [ω]× exp[r]× with ω = R~(r) ṙ, R~ being also the left Jacobian of exp.
  const Mat3 jacobian = mean_rotation(r.value);
  state.rotation = rotation_exp(r.value) * leg.start;
  state.angular_velocity = jacobian * r.velocity;
  state.angular_acceleration =
      jacobian * r.acceleration + mean_rotation_derivative(r.value, r.velocity) * r.velocity;
  return state;
}

void SupportMotion::find_jumps() {
  std::map<double, VelocityJump> by_time;
  for (const Path::Jump& p : position_.jumps()) by_time[p.time].velocity = p.velocity;
  for (const Leg& leg : legs_) {
    if (!turns_) break;  // what rounding leaves of equal rotations is no motion
    for (const Path::Jump& r : leg.vector.jumps()) {
      by_time[r.time].angular_velocity += mean_rotation(leg.vector.at(r.time).value) * r.velocity;
    }
  }
  for (auto& [time, jump] : by_time) {
    jump.time = time;
    jumps_.push_back(jump);
  }
}

std::span<const VelocityJump> SupportMotion::jumps_in(double t0, double t1) const {
  const auto later = [](double time, const VelocityJump& jump) { return time < jump.time; };
  const auto first = std::upper_bound(jumps_.begin(), jumps_.end(), t0, later);
  const auto last = std::upper_bound(first, jumps_.end(), t1, later);
  return std::span(jumps_).subspan(static_cast<std::size_t>(first - jumps_.begin()),
                                   static_cast<std::size_t>(last - first));
}

VelocityJump SupportMotion::velocity_jump(double t0, double t1) const {
  VelocityJump sum{t1, Vec3::Zero(), Vec3::Zero()};
  for (const VelocityJump& jump : jumps_in(t0, t1)) {
    sum.velocity += jump.velocity;
    sum.angular_velocity += jump.angular_velocity;
  }
  return sum;
}

}  // namespace limber
