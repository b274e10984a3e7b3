#include "limber/scene/core_motion.h"

#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {

SupportMotion turning_core(const CoreAxis& axis, double speed, double duration,
                           const std::string& where) {
  constexpr double kTurnPerKey = 0.5;  // rad; keys take the shorter way round
  const double length = axis.direction.norm();
  if (!(length > 0)) throw Error("the axis has no direction", where, "give three numbers");
  const Vec3 direction = axis.direction / length;
  const double turn = std::abs(speed) * duration;
  constexpr double kMostKeys = 1e5;
  if (turn / kTurnPerKey > kMostKeys) {
    throw Error("the core turns too fast", where, "give a smaller speed in rad/s");
  }
  const int count = 2 + static_cast<int>(turn / kTurnPerKey);
  std::vector<SupportKey> keys;
  // One key beyond each end: a core that turns at the start has always turned.
  for (int k = -1; k <= count; ++k) {
    const double time = duration * k / (count - 1);
    const Mat3 rotation = rotation_exp(speed * time * direction);
    keys.push_back({time, axis.point - rotation * axis.point, Eigen::Quaterniond(rotation)});
  }
  return SupportMotion(keys, Interpolation::linear, where);
}

}  // namespace limber
