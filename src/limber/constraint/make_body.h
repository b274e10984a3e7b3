// A baked model as a body for a world: all that programs which play bodies need to know of modal
// ones.
#pragma once

#include <memory>

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/modal/modal_options.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// Moves by its modes and can be held. Without fixed nodes it is free: the support gives its place
/// and velocity at time 0, then it flies. Throws Error where loads or damping are out of range.
[[nodiscard]] std::unique_ptr<DynamicBody> make_body(const ModalModel& model,
                                                     const ModalBodyOptions& options = {},
                                                     const Loads& loads = {},
                                                     const SupportMotion& support = {});

}  // namespace limber
