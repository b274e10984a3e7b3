// A clamped bar in motion with handles on it.
#pragma once

#include <cmath>
#include <memory>

#include "limber/constraint/constraint_set.h"
#include "limber/dynamics/modal/modal_body.h"
#include "support/baked_bar.h"

namespace limber {

inline constexpr double kStep = 1.0 / 60;

inline Path at(const Vec3& target) { return Path({0.0}, {target}); }

inline Handle position_handle(int node, const Path& path,
                              Treatment treatment = Treatment::previous) {
  return {HandleKind::position, HandlePoint::at_node(node), path, treatment, {}};
}

inline Handle orientation_handle(int node, const Path& path) {
  return {HandleKind::orientation, HandlePoint::at_node(node), path, Treatment::previous, {}};
}

/// Damped enough to come to rest in a few seconds.
struct HeldBar {
  explicit HeldBar(int modes, Integrator integrator = Integrator::exact,
                   Method method = Method::modal_warping, Damping damping = {2.0, 0.05})
      : body(baked_bar(modes)),
        tip(bar_node(body, {1, 0.1, 0.1})),
        middle(bar_node(body, {0.5, 0.1, 0.1})),
        moving(body, {method, integrator, damping}),
        handles(std::make_shared<ConstraintSet>(body, method)) {
    moving.set_correction(handles);
  }

  void run(double seconds) {
    const long steps = std::lround(seconds / kStep);
    for (long k = 0; k < steps; ++k) moving.step(kStep);
  }
  [[nodiscard]] ConstraintErrors errors() const {
    return handles->errors(moving.q(), moving.time());
  }
  [[nodiscard]] Positions positions() const {
    Positions positions(body.node_count(), 3);
    moving.node_positions(positions);
    return positions;
  }

  ModalModel body;
  int tip;
  int middle;
  ModalBody moving;
  std::shared_ptr<ConstraintSet> handles;
};

}  // namespace limber
