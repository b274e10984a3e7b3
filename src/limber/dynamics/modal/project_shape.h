// From the places and velocities of a body's nodes to the nearest state of its modes: how a shape
// goes from one method to another.
#pragma once

#include "limber/dynamics/frame/frame_motion.h"
#include "limber/dynamics/modal/modal_shape.h"

namespace limber {

struct ProjectedState {
  Vector q, v;
  FrameState frame;              // place, and for free bodies the turn that fits the nodes best
  Vec3 velocity = Vec3::Zero();  // free bodies: of the mass centre
};

/// `positions` and `velocities` n×3, world. A body on a support keeps `frame`; a free one gets the
/// rigid motion nearest to its nodes', by mass, and the modes take the rest: x₀ + Φq, or warped
/// x₀ + R~(Ψq) Φq, found by turning displacements back node by node.
[[nodiscard]] ProjectedState project_shape(const ModalModel& model, const ModalShape& shape,
                                           Method method, const FrameState& frame,
                                           const Positions& positions, const Positions& velocities,
                                           bool is_free);

}  // namespace limber
