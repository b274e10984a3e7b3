// From a method's name to the dynamics that does it.
#pragma once

#include <memory>
#include <string>

#include "limber/constraint/constraint_set.h"
#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/scene/body_source.h"
#include "limber/scene/scene_file.h"

namespace limber {

[[nodiscard]] bool needs_modes(const std::string& method);

/// A body in motion, and its handles. Those of full-resolution bodies are in the body itself.
struct MovingBody {
  std::unique_ptr<DynamicBody> dynamics;
  std::shared_ptr<ConstraintSet> constraints;  // null for methods without modes
  FullBody* full = nullptr;                    // `dynamics`, where that is one
};

/// The body on its support under the scene's loads. `source` must outlive the result.
[[nodiscard]] MovingBody make_dynamics(const BodyDescription& description,
                                       const SceneDescription& scene, const BodySource& source);

}  // namespace limber
