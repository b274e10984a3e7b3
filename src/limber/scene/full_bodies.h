// From a scene's words to a body at full resolution: linear, stiffness-warping, corotational, stvk.
#pragma once

#include <memory>

#include "limber/dynamics/full_space/full_body.h"
#include "limber/scene/body_source.h"
#include "limber/scene/scene_file.h"

namespace limber {

[[nodiscard]] bool is_full_space(const std::string& method);

/// The body with its handles. Throws Error for handles that only modes can follow.
[[nodiscard]] std::unique_ptr<FullBody> make_full_body(const BodyDescription& description,
                                                       const SceneDescription& scene,
                                                       const BodySource& source, Loads loads,
                                                       SupportMotion support);

}  // namespace limber
