// The support in people's hands. It follows them by critically damped springs: a support that
// jumped would hit the body like a hammer.
//
// Symbols: p translation (m) and r rotation vector (rad) of the shaking, c the pivot; what the
// scene's own support puts at X comes to c + p + exp(r)(X − c).
#pragma once

#include "limber/dynamics/frame/frame_motion.h"

namespace limber::studio {

class ShakenSupport {
 public:
  void set_pivot(const Vec3& pivot) { pivot_ = pivot; }
  void set_target(const Vec3& position, const Eigen::Quaterniond& rotation);

  /// Goes on by h seconds. Below what anyone sees of a body of `size` (m) it comes to rest.
  void step(double h, double size);
  /// The scene's own motion now has its origin so much further on; what is shaken stays there, and
  /// comes to rest on it.
  void move_origin(const Vec3& way);
  /// There at once, at rest.
  void jump(const Vec3& position);
  /// Back to the scene's own motion at once.
  void reset();

  /// Whether the last step left the scene's own motion alone.
  [[nodiscard]] bool at_rest() const { return before_.is_zero() && now_.is_zero(); }
  /// The scene's support as shaken over the last step, from `t` to `t + h`; C¹ from step to step.
  [[nodiscard]] SupportMotion over_step(const SupportMotion& scene, double t, double h) const;

 private:
  struct State {
    Vec3 p = Vec3::Zero(), p_velocity = Vec3::Zero();
    Vec3 r = Vec3::Zero(), r_velocity = Vec3::Zero();
    [[nodiscard]] bool is_zero() const {
      return p.isZero(0) && p_velocity.isZero(0) && r.isZero(0) && r_velocity.isZero(0);
    }
  };
  [[nodiscard]] FrameState shaken(const FrameState& scene, const State& state) const;

  Vec3 pivot_ = Vec3::Zero();
  Vec3 p_target_ = Vec3::Zero(), r_target_ = Vec3::Zero();
  State before_, now_;
};

}  // namespace limber::studio
