// Warped shapes whose last modes stand still: their share of w = Ψq and u = Φq is summed once.
#include <utility>

#include "limber/dynamics/modal/chunks.h"
#include "limber/dynamics/modal/node_kernels.h"
#include "limber/dynamics/modal/warped_shape.h"

namespace limber {

void WarpedShape::reserve_still() {
  still_turns_.resize(model_.node_count(), 3);
  still_.resize(model_.node_count(), 3);
}

void WarpedShape::set_still(int active, const Vector& q) {
  active_ = active;
  const int modes = model_.mode_count();
  if (active == modes) return;
  for (auto [rows, sums] : {std::pair(model_.Psi_data.data(), &still_turns_),
                            std::pair(model_.Phi_data.data(), &still_)})
    kernels::multiply(rows + active, model_.node_count(), modes - active, q.data() + active,
                      sums->data(), modes);
}

void WarpedShape::find_turns(int first, int count, const Vector& q, double* w, double* u) const {
  const int modes = model_.mode_count();
  const auto find = [&](NodeRows rows, const Positions& still, double* sum) {
    kernels::multiply(rows.data(), count, active_, q.data(), sum, modes);
    if (active_ == modes) return;
    Eigen::Map<Vector>(sum, 3 * count) +=
        Eigen::Map<const Vector>(still.row(first).data(), 3 * count);
  };
  find(node_Psi(model_, first), still_turns_, w);
  if (u != nullptr) find(node_Phi(model_, first), still_, u);
}

void WarpedShape::find_turns_at(const std::int32_t* nodes, int count, const Vector& q, double* w,
                                double* u) const {
  const int modes = model_.mode_count();
  kernels::multiply_at(model_.Psi_data.data(), nodes, count, active_, q.data(), w, modes);
  kernels::multiply_at(model_.Phi_data.data(), nodes, count, active_, q.data(), u, modes);
  if (active_ == modes) return;
  for (int i = 0; i < count; ++i) {
    Eigen::Map<Vec3>(w + 3 * i) += still_turns_.row(nodes[i]).transpose();
    Eigen::Map<Vec3>(u + 3 * i) += still_.row(nodes[i]).transpose();
  }
}

void WarpedShape::positions(const Vector& q, Eigen::Ref<Positions> positions) const {
  for_chunks(model_.node_count(), [&](int first, int count) {
    Chunk u;
    Chunk w;
    find_turns(first, count, q, w.data(), u.data());
    kernels::turn_mean(w.data(), u.data(), count, u.data());
    positions.middleRows(first, count) =
        model_.rest_positions().middleRows(first, count) + rows_of(u, count);
  });
}

void WarpedShape::velocities(const Vector& q, const Vector& v,
                             Eigen::Ref<Positions> velocities) const {
  const int modes = model_.mode_count();
  for_chunks(model_.node_count(), [&](int first, int count) {
    Chunk u;
    Chunk w;
    Chunk velocity;
    Chunk turning;
    find_turns(first, count, q, w.data(), u.data());
    kernels::multiply(node_Phi(model_, first).data(), count, active_, v.data(), velocity.data(),
                      modes);
    kernels::multiply(node_Psi(model_, first).data(), count, active_, v.data(), turning.data(),
                      modes);
    kernels::turn_mean(w.data(), velocity.data(), count, velocity.data());
    kernels::mean_rate(w.data(), u.data(), turning.data(), count, turning.data());
    for (int i = 0; i < 3 * count; ++i) velocity[i] += turning[i];
    velocities.middleRows(first, count) = rows_of(velocity, count);
  });
}

}  // namespace limber
