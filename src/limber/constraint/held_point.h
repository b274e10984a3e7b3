// A handle on a modal body, as its solvers keep it.
#pragma once

#include <vector>

#include "limber/core/state_archive.h"
#include "limber/dynamics/handles.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

struct HeldPoint {
  int number = 0;
  Handle handle;  ///< its `exercised` filled

  void archive(StateArchive& state) {
    state.value(number);
    state.value(handle.kind);
    state.value(handle.point);
    handle.target.archive(state);
    state.value(handle.treatment);
    state.list(handle.exercised);
    state.value(handle.stiffness);
    state.value(handle.damping);
  }
};

/// Position and orientation handles fix where the step ends; velocity and acceleration ones where
/// it starts.
[[nodiscard]] inline bool fixes_end(const Handle& handle) {
  return handle.kind == HandleKind::position || handle.kind == HandleKind::orientation;
}

/// Handles whose forces act on detail beyond the modes too, which what they hold then includes.
[[nodiscard]] inline bool dents(const Handle& handle) {
  return handle.kind == HandleKind::position;
}

/// Nodes that share a tet with one of the point's nodes, those included, without fixed ones.
[[nodiscard]] std::vector<BodyPoint> neighbourhood(const ModalModel& model, const BodyPoint& point);

/// Throws Error when a node does not exist, the weights do not sum to one, or every node with
/// weight is fixed.
void check_held(const ModalModel& model, const BodyPoint& point);

}  // namespace limber
