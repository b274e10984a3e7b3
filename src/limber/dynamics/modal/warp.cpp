#include "limber/dynamics/modal/warp.h"

#include <array>

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/chunks.h"
#include "limber/dynamics/modal/node_kernels.h"

namespace limber {

Mat3 node_rotation(const ModalModel& body, Method method, int node, const Vector& q) {
  if (method == Method::linear_modal) return Mat3::Identity();
  return rotation_exp(node_Psi(body, node) * q);
}

Vec3 node_displacement(const ModalModel& body, Method method, int node, const Vector& q) {
  const Vec3 u = node_Phi(body, node) * q;
  if (method == Method::linear_modal) return u;
  return mean_rotation(node_Psi(body, node) * q) * u;
}

void node_derivative(const ModalModel& body, Method method, int node, const Vector& q,
                     ThreeRows& B) {
  const NodeRows Phi = node_Phi(body, node);
  if (method == Method::linear_modal) {
    B = Phi;
    return;
  }
  const NodeRows Psi = node_Psi(body, node);
  const Vec3 w = Psi * q;
  const Vec3 u = Phi * q;
  B.noalias() = mean_rotation(w).lazyProduct(Phi);
  B.noalias() += mean_rotation_derivative(w, u).lazyProduct(Psi);
}

void deformed_positions(const ModalModel& body, Method method, const Vector& q,
                        Eigen::Ref<Positions> positions) {
  const int modes = body.mode_count();
  for_chunks(body.node_count(), [&](int first, int count) {
    Chunk u;
    Chunk w;
    kernels::multiply(node_Phi(body, first).data(), count, modes, q.data(), u.data());
    if (method == Method::modal_warping) {
      kernels::multiply(node_Psi(body, first).data(), count, modes, q.data(), w.data());
      kernels::turn_mean(w.data(), u.data(), count, u.data());
    }
    positions.middleRows(first, count) =
        body.rest_positions().middleRows(first, count) + rows_of(u, count);
  });
}

void deformed_velocities(const ModalModel& body, Method method, const Vector& q, const Vector& v,
                         Eigen::Ref<Positions> velocities) {
  const int modes = body.mode_count();
  for_chunks(body.node_count(), [&](int first, int count) {
    Chunk velocity;
    const double* Phi = node_Phi(body, first).data();
    kernels::multiply(Phi, count, modes, v.data(), velocity.data());
    if (method == Method::modal_warping) {
      Chunk u;
      Chunk w;
      Chunk turning;
      const double* Psi = node_Psi(body, first).data();
      kernels::multiply(Phi, count, modes, q.data(), u.data());
      kernels::multiply(Psi, count, modes, q.data(), w.data());
      kernels::multiply(Psi, count, modes, v.data(), turning.data());
      kernels::turn_mean(w.data(), velocity.data(), count, velocity.data());
      kernels::mean_rate(w.data(), u.data(), turning.data(), count, turning.data());
      for (int i = 0; i < 3 * count; ++i) velocity[i] += turning[i];
    }
    velocities.middleRows(first, count) = rows_of(velocity, count);
  });
}

}  // namespace limber
