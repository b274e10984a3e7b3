// The page's commands about joints; see protocol.h.
#pragma once

#include "server/fields.h"
#include "server/protocol.h"

namespace limber::studio {

/// Throw Error.
[[nodiscard]] Command read_new_joint(const Fields& fields);
[[nodiscard]] Command read_joint_change(const Fields& fields);
[[nodiscard]] Command read_joint_removal(const Fields& fields);

}  // namespace limber::studio
