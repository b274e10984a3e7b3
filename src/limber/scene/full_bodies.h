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
                                                       const BodySource& source, Loads loads,
                                                       SupportMotion support);

/// A spring so stiff beside the tets around the node that the node is where its target is: those of
/// hard position handles. N/m.
[[nodiscard]] double holding_stiffness(const FullBody& body, int node);

}  // namespace limber
