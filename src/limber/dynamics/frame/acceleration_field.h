// What particles feel in a moving frame: gravity and the forces of inertia.
#pragma once

#include "limber/dynamics/frame/frame_motion.h"

namespace limber {

/// a(x, u̇) = uniform − gradient·x − 2 spin × u̇ for a particle at x (deformed) that moves with u̇.
struct AccelerationField {
  Vec3 uniform = Vec3::Zero();   // m/s²
  Mat3 gradient = Mat3::Zero();  // [α]× + [ω]×², 1/s²
  Vec3 spin = Vec3::Zero();      // ω, rad/s

  [[nodiscard]] bool is_uniform() const { return gradient.isZero(0) && spin.isZero(0); }
};

/// In a frame that moves like this, under a gravity in world coordinates:
/// R_sᵀ(g − a_s) − α×x − ω×(ω×x) − 2 ω×u̇.
[[nodiscard]] AccelerationField inertial_field(const FrameState& frame, const Vec3& gravity);

}  // namespace limber
