// Full-resolution bodies of a scene: materials, cores and ground.
#pragma once

#include <memory>

#include "limber/dynamics/dynamic_body.h"
#include "limber/scene/body_source.h"

namespace limber {

[[nodiscard]] std::unique_ptr<DynamicBody> make_full_resolution(const BodyDescription& description,
                                                                const SceneDescription& scene,
                                                                const BodySource& source,
                                                                Loads loads, SupportMotion support);

}  // namespace limber
