#include "limber/dynamics/modal/warp.h"

#include <array>

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/chunks.h"
#include "limber/dynamics/modal/node_kernels.h"

namespace limber {

Mat3 node_rotation(const ModalModel& body, ModalMethod method, int node, const Vector& q) {
  if (method == ModalMethod::linear) return Mat3::Identity();
  return rotation_exp(node_Psi(body, node) * q);
}

Vec3 node_displacement(const ModalModel& body, ModalMethod method, int node, const Vector& q) {
  const Vec3 u = node_Phi(body, node) * q;
  if (method == ModalMethod::linear) return u;
  return mean_rotation(node_Psi(body, node) * q) * u;
}

void deformed_positions(const ModalModel& body, ModalMethod method, const Vector& q,
                        Eigen::Ref<Positions> positions) {
  const int modes = body.mode_count();
  for_chunks(body.node_count(), [&](int first, int count) {
    Chunk u;
    Chunk w;
    kernels::multiply(node_Phi(body, first).data(), count, modes, q.data(), u.data());
    if (method == ModalMethod::warping) {
      kernels::multiply(node_Psi(body, first).data(), count, modes, q.data(), w.data());
      kernels::turn_mean(w.data(), u.data(), count, u.data());
    }
    positions.middleRows(first, count) =
        body.rest_positions().middleRows(first, count) + rows_of(u, count);
  });
}

void deformed_velocities(const ModalModel& body, ModalMethod method, const Vector& q,
                         const Vector& v, Eigen::Ref<Positions> velocities) {
  for (int i = 0; i < body.node_count(); ++i) {
    Vec3 velocity = node_Phi(body, i) * v;
    if (method == ModalMethod::warping) {
      const Vec3 w = node_Psi(body, i) * q;
      const Vec3 u = node_Phi(body, i) * q;
      velocity =
          mean_rotation(w) * velocity + mean_rotation_derivative(w, u) * (node_Psi(body, i) * v);
    }
    velocities.row(i) = velocity;
  }
}

}  // namespace limber
