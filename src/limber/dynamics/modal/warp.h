// Where a body's nodes stand and how they turn for given modal amplitudes, in its own frame.
//
// Linear modes: u = Φq. Modal warping: w = Ψq, u = R~(w) Φq (Choi & Ko 2005, eqs. 8 and 22). No
// other method may be asked for here.
#pragma once

#include "limber/dynamics/method.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// The three rows (3×m) of a node in Φ or Ψ, looking into the body.
using NodeRows = Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>>;
[[nodiscard]] inline NodeRows node_Phi(const ModalModel& body, int node) {
  const auto offset = 3 * static_cast<std::ptrdiff_t>(node) * body.mode_count();
  return {body.Phi_data.data() + offset, 3, body.mode_count()};
}
[[nodiscard]] inline NodeRows node_Psi(const ModalModel& body, int node) {
  const auto offset = 3 * static_cast<std::ptrdiff_t>(node) * body.mode_count();
  return {body.Psi_data.data() + offset, 3, body.mode_count()};
}

/// R(Ψq) at one node; the identity for linear modes.
[[nodiscard]] Mat3 node_rotation(const ModalModel& body, Method method, int node, const Vector& q);

/// u at one node.
[[nodiscard]] Vec3 node_displacement(const ModalModel& body, Method method, int node,
                                     const Vector& q);

/// ∂u/∂q at one node: Φ, or R~(w) Φ + ∂(R~(w) u)/∂w Ψ. `B` (3×m) has its size already.
using ThreeRows = Eigen::Matrix<double, 3, Eigen::Dynamic>;
void node_derivative(const ModalModel& body, Method method, int node, const Vector& q,
                     ThreeRows& B);

/// positions (n×3) = rest positions + u.
void deformed_positions(const ModalModel& body, Method method, const Vector& q,
                        Eigen::Ref<Positions> positions);

/// velocities (n×3): the time derivative of deformed_positions when q changes by v a second.
void deformed_velocities(const ModalModel& body, Method method, const Vector& q, const Vector& v,
                         Eigen::Ref<Positions> velocities);

}  // namespace limber
