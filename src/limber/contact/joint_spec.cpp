// What a joint may be: apart from joints themselves, for readers that build none.
#include <cmath>
#include <numbers>

#include "limber/contact/joint.h"
#include "limber/core/error.h"

namespace limber {

void check(const JointSpec& joint) {
  const auto refuse = [](const char* what, const char* remedy) {
    throw Error(what, "joint", remedy);
  };
  if (!joint.at.allFinite() || !joint.axis.allFinite() || (joint.at_b && !joint.at_b->allFinite()))
    refuse("a joint's place or axis is not finite", "give numbers");
  const bool has_axis = joint.kind == JointKind::hinge || joint.kind == JointKind::slider;
  if (has_axis && !(joint.axis.norm() > 0)) refuse("the axis has no length", "give a direction");
  if (joint.a == joint.b)
    refuse(joint.a == kTheWorld ? "a joint without a body" : "a joint of a body with itself",
           "name two bodies, or one and the world");
  if (!(joint.lowest <= joint.highest))
    refuse("a joint's limits are in the wrong order", "give the lower one first");
  if (joint.kind == JointKind::hinge &&
      ((std::isfinite(joint.lowest) && joint.lowest < -std::numbers::pi) ||
       (std::isfinite(joint.highest) && joint.highest > std::numbers::pi)))
    refuse("a hinge's limits lie within half a turn each way", "give -3.14 to 3.14 rad");
  if (!(joint.radius >= 0 && std::isfinite(joint.radius)))
    refuse("a joint's radius must not be negative", "leave it out");
  if (!(joint.break_force > 0)) refuse("the break force must be positive", "leave it out");
  if (!(joint.motor_torque >= 0 && std::isfinite(joint.motor_torque) &&
        std::isfinite(joint.motor_speed)))
    refuse("a motor needs a finite speed and a torque above zero", "leave it out");
  if (joint.motor_torque > 0 && joint.kind != JointKind::hinge)
    refuse("only hinges have motors", "use a hinge");
}

}  // namespace limber
