#include "limber/dynamics/modal/project_shape.h"

#include <Eigen/LU>

#include "limber/core/rotation.h"

namespace limber {

namespace {

/// The fixed point is met to some percent after these; shapes far from any mode never are.
constexpr int kTurningBack = 6;

/// Φᵀ M field, the mass lumped.
Vector onto_modes(const ModalModel& model, const Positions& field) {
  Vector weighted(3 * model.node_count());
  for (int node = 0; node < model.node_count(); ++node) {
    weighted.segment<3>(3 * node) = model.mass.row_sums[node] * field.row(node).transpose();
  }
  return model.Phi().transpose() * weighted;
}

/// Place, turn and velocities of the rigid motion nearest to the nodes', by mass.
void fit_rigid_motion(const ModalModel& model, const ModalShape& shape, const Positions& positions,
                      const Positions& velocities, ProjectedState& state) {
  const Vec3 rest_centre = shape.rest_centre();
  Vec3 centre = Vec3::Zero();
  for (int i = 0; i < model.node_count(); ++i) {
    const double part = model.mass.row_sums[i] / shape.mass();
    centre += part * positions.row(i).transpose();
    state.velocity += part * velocities.row(i).transpose();
  }
  Mat3 covariance = Mat3::Zero();
  Mat3 inertia = Mat3::Zero();
  Vec3 momentum = Vec3::Zero();
  for (int i = 0; i < model.node_count(); ++i) {
    const double m = model.mass.row_sums[i];
    const Vec3 y = positions.row(i).transpose() - centre;
    covariance += m * y * (model.rest_positions().row(i) - rest_centre.transpose());
    inertia += m * (y.squaredNorm() * Mat3::Identity() - y * y.transpose());
    momentum += m * y.cross(velocities.row(i).transpose() - state.velocity);
  }
  state.frame = {};
  state.frame.rotation = polar_rotation(covariance);
  state.frame.position = centre - state.frame.rotation * rest_centre;
  state.frame.angular_velocity = inertia.inverse() * momentum;
  const Vec3 arm = state.frame.rotation * rest_centre;
  state.frame.velocity = state.velocity - state.frame.angular_velocity.cross(arm);
}

}  // namespace

ProjectedState project_shape(const ModalModel& model, const ModalShape& shape, Method method,
                             const FrameState& frame, const Positions& positions,
                             const Positions& velocities, bool is_free) {
  ProjectedState state;
  state.frame = frame;
  if (is_free) fit_rigid_motion(model, shape, positions, velocities, state);
  const FrameState& at = state.frame;
  Positions u(model.node_count(), 3);
  Positions rates(model.node_count(), 3);
  for (int i = 0; i < model.node_count(); ++i) {
    const Vec3 arm = positions.row(i).transpose() - at.position;
    const Vec3 own = velocities.row(i).transpose() - at.velocity - at.angular_velocity.cross(arm);
    u.row(i) = (at.rotation.transpose() * arm).transpose() - model.rest_positions().row(i);
    rates.row(i) = (at.rotation.transpose() * own).transpose();
  }
  state.q = onto_modes(model, u);
  if (method != Method::modal_warping && method != Method::rotation_strain) {
    state.v = onto_modes(model, rates);
    return state;
  }
  Positions back(model.node_count(), 3);
  Positions turned(model.node_count(), 3);
  for (int pass = 0; pass < kTurningBack; ++pass) {
    for (int i = 0; i < model.node_count(); ++i) {
      const Vec3 w = node_Psi(model, i) * state.q;
      back.row(i) = (mean_rotation_inverse(w) * u.row(i).transpose()).transpose();
      turned.row(i) = rates.row(i) * rotation_exp(w);
    }
    state.q = 0.5 * (state.q + onto_modes(model, back));
  }
  state.v = onto_modes(model, turned);
  return state;
}

}  // namespace limber
