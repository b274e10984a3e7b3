// The moving frame of reference that a body lives in, and supports that move it by keyframes.
//
// A node at x in the frame stands at X = p + R x in the world. Symbols: p position, R rotation,
// ω angular velocity and α angular acceleration, all in world coordinates.
#pragma once

#include <Eigen/Geometry>
#include <span>
#include <string>
#include <vector>

#include "limber/dynamics/frame/path.h"

namespace limber {

struct FrameState {
  Vec3 position = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  Vec3 velocity = Vec3::Zero();              // m/s
  Vec3 angular_velocity = Vec3::Zero();      // rad/s
  Vec3 acceleration = Vec3::Zero();          // m/s²
  Vec3 angular_acceleration = Vec3::Zero();  // rad/s²

  [[nodiscard]] Vec3 to_world(const Vec3& x) const { return position + rotation * x; }
};

/// Unaligned: a layout that does not depend on the compiler's flags.
using Quaternion = Eigen::Quaternion<double, Eigen::DontAlign>;

struct SupportKey {
  double time = 0;
  Vec3 position = Vec3::Zero();
  Quaternion rotation = Quaternion::Identity();
};

/// A sudden change of a support's velocity, behind minus before, in world coordinates.
struct VelocityJump {
  double time = 0;
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
};

/// Smooth: splines through the positions and through the continuous rotation vectors r of the
/// turns since the first key, R(t) = exp(r(t)) R₀. Linear: straight lines, and between two keys a
/// turn about one axis at constant speed. From key to key the shorter way round is taken.
class SupportMotion {
 public:
  /// Rests at the origin.
  SupportMotion() = default;

  /// Throws Error as Path does, and when a quaternion has no length.
  explicit SupportMotion(const std::vector<SupportKey>& keys,
                         Interpolation interpolation = Interpolation::smooth,
                         const std::string& where = "support");

  /// With exact derivatives; where the velocity jumps, the values just behind.
  [[nodiscard]] FrameState at(double time) const;

  /// Ascending in time.
  [[nodiscard]] std::span<const VelocityJump> jumps() const { return jumps_; }
  /// Those in (t0, t1]: a jump belongs to the step that ends with it.
  [[nodiscard]] std::span<const VelocityJump> jumps_in(double t0, double t1) const;
  /// The sum of those in (t0, t1].
  [[nodiscard]] VelocityJump velocity_jump(double t0, double t1) const;

  /// False when the rotation is the same at all times.
  [[nodiscard]] bool turns() const { return turns_; }

 private:
  /// R = exp(vector) · start: one leg for a smooth motion, one a segment for a linear one.
  struct Leg {
    Mat3 start = Mat3::Identity();
    Path vector;
  };

  [[nodiscard]] const Leg& leg_at(double time) const;
  void find_jumps();

  Path position_;
  std::vector<Leg> legs_;
  std::vector<VelocityJump> jumps_;
  bool turns_ = false;
};

}  // namespace limber
