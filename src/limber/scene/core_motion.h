// How a rigid core (a bone) moves that neither keyframes nor its own mass move: turning about an
// axis at a given speed. One that moves by itself is the body's: dynamics/full_space/rigid_core.h.
#pragma once

#include "limber/dynamics/frame/frame_motion.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// The frame from time 0 to the end of the scene. Throws Error where it turns too fast for keys.
[[nodiscard]] SupportMotion turning_core(const CoreAxis& axis, double speed, double duration,
                                         const std::string& where);

}  // namespace limber
