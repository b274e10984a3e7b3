#include "limber/dynamics/modal/modal_force.h"

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/linear_force.h"
#include "limber/dynamics/modal/warped_force.h"

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

std::unique_ptr<ModalForce> make_modal_force(const ModalModel& body, ModalMethod method,
                                             bool fast) {
  if (method == ModalMethod::linear) return std::make_unique<LinearForce>(body);
  return std::make_unique<WarpedForce>(body, fast);
}

}  // namespace limber
