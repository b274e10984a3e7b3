// Handles that follow the bones of a skeleton, as constraints of a body.
#pragma once

#include "limber/scene/body_source.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// The description with the handles that its skeleton asks for: bones carry nodes near them from
/// the rest pose, within `ease` seconds, to the clip's first pose and then along the clip.
[[nodiscard]] BodyDescription with_skeleton_handles(BodyDescription description,
                                                    const BodySource& source);

}  // namespace limber
