// A clamped bar in motion with handles on it.
#pragma once

#include <cmath>
#include <memory>

#include "limber/constraint/modal_handles.h"
#include "limber/dynamics/modal/modal_body.h"
#include "support/baked_bar.h"
#include "support/stepping.h"

namespace limber {

inline constexpr double kStep = 1.0 / 60;

inline Path at(const Vec3& target) { return Path({0.0}, {target}); }

inline Handle position_handle(int node, const Path& path,
                              Treatment treatment = Treatment::previous) {
  return {HandleKind::position, BodyPoint::at_node(node), path, treatment, {}};
}

inline Handle orientation_handle(int node, const Path& path) {
  return {HandleKind::orientation, BodyPoint::at_node(node), path, Treatment::previous, {}};
}

inline Handle spring_handle(const BodyPoint& point, const Path& path, double stiffness,
                            double damping) {
  Handle handle{HandleKind::spring, point, path, Treatment::previous, {}};
  handle.stiffness = stiffness;
  handle.damping = damping;
  return handle;
}

/// Damped enough to come to rest in a few seconds.
struct HeldBar {
  explicit HeldBar(int modes, Integrator integrator = Integrator::exact,
                   Method method = Method::modal_warping, Damping damping = {2.0, 0.05},
                   LoadLaw law = LoadLaw::work)
      : body(baked_bar(modes)),
        tip(bar_node(body, {1, 0.1, 0.1})),
        middle(bar_node(body, {0.5, 0.1, 0.1})),
        held(make_modal_body(
            body, {.method = method, .integrator = integrator, .damping = damping, .loads = law})),
        moving(*held),
        handles(&held->handles()) {}

  void run(double seconds) {
    const long steps = std::lround(seconds / kStep);
    for (long k = 0; k < steps; ++k) step(moving, kStep);
  }
  [[nodiscard]] HandleErrors errors() const { return handles->errors(); }
  [[nodiscard]] Positions positions() const {
    Positions positions(body.node_count(), 3);
    moving.node_positions(positions);
    return positions;
  }

  ModalModel body;
  int tip;
  int middle;
  std::unique_ptr<ModalBody> held;
  ModalBody& moving;
  Handles* handles;
};

}  // namespace limber
