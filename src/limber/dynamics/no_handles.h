// The handles of a body that cannot be held.
#pragma once

#include "limber/dynamics/handles.h"

namespace limber {

/// Empty; add() throws Error. One for all bodies: it has no state.
[[nodiscard]] Handles& no_handles();

}  // namespace limber
