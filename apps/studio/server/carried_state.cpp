#include "server/carried_state.h"

#include "limber/core/rotation.h"

namespace limber::studio {

namespace {

/// The fixed point is met to some percent after these; shapes far from any mode never are.
constexpr int kTurningBack = 6;

}  // namespace

NodeState node_state_of(const DynamicBody& body) {
  NodeState state;
  state.positions.resize(body.node_count(), 3);
  state.velocities.resize(body.node_count(), 3);
  body.node_positions(state.positions);
  body.node_velocities(state.velocities);
  const FrameState& frame = body.frame();
  state.positions.rowwise() -= frame.position.transpose();
  for (int node = 0; node < body.node_count(); ++node) {
    const Vec3 arm = state.positions.row(node).transpose();
    state.velocities.row(node) -= (frame.velocity + frame.angular_velocity.cross(arm)).transpose();
  }
  state.positions = (state.positions * frame.rotation).eval();  // rows: (Rᵀx)ᵀ = xᵀR
  state.velocities = (state.velocities * frame.rotation).eval();
  return state;
}

ModalState modal_state_of(const ModalModel& body, const NodeState& nodes, bool warped) {
  const int n = body.node_count();
  const auto& Phi = body.Phi();
  const auto& Psi = body.Psi();
  const Positions u = nodes.positions - body.rest_positions();
  const auto project = [&](const Positions& field) {
    Vector weighted(3 * n);
    for (int node = 0; node < n; ++node) {
      weighted.segment<3>(3 * node) =
          body.mass.row_sums[static_cast<std::size_t>(node)] * field.row(node).transpose();
    }
    return Vector(Phi.transpose() * weighted);
  };
  ModalState state;
  state.q = project(u);
  Positions turned = nodes.velocities;
  for (int pass = 0; warped && pass < kTurningBack; ++pass) {
    const Vector w = Psi * state.q;
    Positions back(n, 3);
    for (int node = 0; node < n; ++node) {
      const Vec3 turn = w.segment<3>(3 * node);
      back.row(node) = (mean_rotation_inverse(turn) * u.row(node).transpose()).transpose();
      turned.row(node) = nodes.velocities.row(node) * rotation_exp(turn);
    }
    state.q = 0.5 * (state.q + project(back));
  }
  state.v = project(turned);
  return state;
}

}  // namespace limber::studio
