// From a method's name to the dynamics that does it.
#pragma once

#include <memory>
#include <string>

#include "limber/dynamics/dynamic_body.h"
#include "limber/scene/body_source.h"
#include "limber/scene/scene_file.h"

namespace limber {

[[nodiscard]] bool needs_modes(const std::string& method);

/// The body on its support under the scene's loads. `source` must outlive the result.
[[nodiscard]] std::unique_ptr<DynamicBody> make_dynamics(const BodyDescription& description,
                                                         const SceneDescription& scene,
                                                         const BodySource& source);

}  // namespace limber
