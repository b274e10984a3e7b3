// What forces at points of a modal body do to it over a step.
#pragma once

#include "limber/constraint/handle_space.h"

namespace limber {

/// Rows (3 a force × d) of what a unit of each force does. G: the force on the coordinates itself.
struct ForceResponse {
  ModeMatrix G;         // generalised force
  ModeMatrix position;  // the coordinates at the end of the step
  ModeMatrix velocity;  // their velocities at the end

  void resize(Eigen::Index forces, Eigen::Index length);
};

/// How impulses at once change velocities: 1/m, I⁻¹ and 1. `rows` and `result` k×d.
void respond_at_once(const HandleSpace& space, const std::optional<RigidFrame>& rigid,
                     const Eigen::Ref<const ModeMatrix>& rows, Eigen::Ref<ModeMatrix> result);

/// Fills position and velocity of the three rows from `first` on from their G: a force that acts
/// over the step, or with `impulse` an impulse at its start.
void respond_over_step(const HandleSpace& space, const StepContext& step, Eigen::Index first,
                       bool impulse, ForceResponse& response);

/// The state that forces (3 each) lead to from the free end of the step: positions, and the frame's
/// momenta; modal velocities are left as they are.
void move_by(const StepContext& step, const ForceResponse& response, const Vector& forces,
             const Eigen::Array<bool, Eigen::Dynamic, 1>& impulses, const ModalState& free_end,
             ModalState& end);

}  // namespace limber
