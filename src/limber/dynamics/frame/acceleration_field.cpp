#include "limber/dynamics/frame/acceleration_field.h"

#include "limber/core/rotation.h"

namespace limber {

AccelerationField inertial_field(const FrameState& frame, const Vec3& gravity) {
  const Mat3 to_frame = frame.rotation.transpose();
  const Vec3 omega = to_frame * frame.angular_velocity;
  const Vec3 alpha = to_frame * frame.angular_acceleration;
  AccelerationField field;
  field.uniform = to_frame * (gravity - frame.acceleration);
  field.gradient = skew(alpha) + skew(omega) * skew(omega);
  field.spin = omega;
  return field;
}

}  // namespace limber
