// A body's shape and motion on the way from one method to another.
#pragma once

#include "limber/dynamics/dynamic_body.h"
#include "limber/modes/playback/modal_model.h"

namespace limber::studio {

/// Positions and velocities of all nodes (n×3) in the body's frame.
struct NodeState {
  Positions positions, velocities;
};
[[nodiscard]] NodeState node_state_of(const DynamicBody& body);

struct ModalState {
  Vector q, v;
};
/// The amplitudes whose shape is nearest to the nodes', by mass: Φq + x₀, or with `warped`
/// x₀ + R~(Ψq) Φq, found by turning displacements back node by node.
[[nodiscard]] ModalState modal_state_of(const ModalModel& body, const NodeState& nodes,
                                        bool warped);

}  // namespace limber::studio
