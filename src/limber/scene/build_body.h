// From what a scene says about a body to the dynamics that plays it: loads, support, place, handles
// and method, translated once.
#pragma once

#include <memory>
#include <string>

#include "limber/dynamics/dynamic_body.h"
#include "limber/scene/body_source.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// The body at its place, on its support, under the scene's loads and with its handles. Throws
/// Error that names what the method cannot honour.
[[nodiscard]] std::unique_ptr<DynamicBody> make_dynamics(const BodyDescription& description,
                                                         const SceneDescription& scene,
                                                         const BodySource& source);

/// The scene's gravity and the body's own forces.
[[nodiscard]] Loads loads_of(const BodyDescription& description, const SceneDescription& scene,
                             const BodySource& source);

}  // namespace limber
