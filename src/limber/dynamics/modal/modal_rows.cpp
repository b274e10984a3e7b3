#include "limber/dynamics/modal/modal_rows.h"

#include <cmath>

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/node_kernels.h"

namespace limber {

void ModalRows::reserve(int rows, int modes, bool is_free, int held_rows) {
  is_free_ = is_free;
  length_ = modes + frame_columns();
  scaled_.setZero(std::max<Eigen::Index>(rows, scaled_.rows()), length_);
  held_.setZero(std::max<Eigen::Index>(held_rows, held_.rows()), length_);
  for (Vector* vector : {&scale_, &travel_, &start_q_, &modes_, &difference_})
    vector->setZero(modes);
  change_.setZero(length_);
  B_.setZero(3, modes);
  points_.reserve(static_cast<std::size_t>(rows / 3 + 1));
  directions_.reserve(static_cast<std::size_t>(rows / 3 + 1));
}

void ModalRows::set_scales(const Surroundings& around) {
  const StepCoefficients& k = around.coefficients;
  h_ = around.h;
  scale_ = (k.vf / h_).cwiseSqrt();
  travel_ = k.qf.cwiseQuotient(k.vf);
  active_ = scale_.size();
  if (around.fade != nullptr && !around.fade->idle()) {
    active_ = around.fade->active();
    for (Eigen::Index i = 0; i < active_; ++i) scale_[i] *= std::sqrt(around.fade->mobility(i));
    scale_.tail(scale_.size() - active_).setZero();
    travel_.tail(scale_.size() - active_).setZero();
  }
  nonlinear_ = around.nonlinear;
  start_q_ = around.state.q;
  if (!is_free_) return;
  const RigidFrame& rigid = *around.state.rigid;
  mass_ = rigid.mass();
  start_centre_ = rigid.mass_centre();
  start_rotation_ = rigid.rotation();
  // A^-½ of the rotation, by Cholesky: R I⁻¹ Rᵀ = L Lᵀ.
  const Mat3 L = rigid.inverse_inertia().llt().matrixL();
  from_scaled_turn_ = L;
  to_scaled_turn_ = L.inverse();
}

void ModalRows::scale_modes(Eigen::Index row, Eigen::Ref<ModeMatrix> rows) const {
  auto modes = rows.row(row).tail(scale_.size());
  if (nonlinear_ == nullptr) {
    modes.array() *= scale_.transpose().array();
    return;
  }
  modes_ = modes.transpose();
  nonlinear_->scale_row(modes_);
  modes = modes_.transpose();
}

/// (Rᵀd)ᵀ(B − ∂s/∂q), or of the angular velocity there, into the modes' part of the rows.
void ModalRows::set_shape_rows(const Surroundings& around, std::span<const BodyRow> rows) {
  const Mat3 to_frame = around.frame.rotation.transpose();
  const Eigen::Index modes = scale_.size();
  const auto same_point = [](const BodyRow& a, const BodyRow& b) {
    return a.angular == b.angular && a.point.nodes == b.point.nodes &&
           a.point.weights == b.point.weights;
  };
  for (std::size_t i = 0; i < rows.size();) {
    // Rows of contacts come in threes, each about one point: many at once.
    points_.clear();
    directions_.clear();
    std::size_t next = i;
    for (; next + 2 < rows.size() && !rows[next].angular &&
           same_point(rows[next], rows[next + 1]) && same_point(rows[next], rows[next + 2]);
         next += 3) {
      Mat3 directions;
      for (std::size_t r = 0; r < 3; ++r)
        directions.col(static_cast<Eigen::Index>(r)) = to_frame * rows[next + r].direction;
      points_.push_back(rows[next].point);
      directions_.push_back(directions);
    }
    if (next > i) {
      around.shape.direction_rows(
          points_, directions_.data(), around.state.q,
          scaled_.data() + static_cast<std::ptrdiff_t>(i) * length_ + frame_columns(), length_);
    } else {
      const BodyRow& row = rows[i];
      if (row.angular) {
        // The point's angular velocity in the frame: R~(w) ẇ, R~ being the Jacobian of exp.
        around.shape.turn_rows(row.point, B_);
        const Mat3 jacobian = mean_rotation(around.shape.turn(row.point, around.state.q));
        for (Eigen::Index k = 0; k < modes; ++k) B_.col(k) = (jacobian * B_.col(k)).eval();
      } else {
        around.shape.derivative(row.point, around.state.q, B_);
      }
      const Vec3 direction = to_frame * row.direction;
      scaled_.row(static_cast<Eigen::Index>(i)).tail(modes) = direction.transpose().lazyProduct(B_);
      next = i + 1;
    }
    for (; i < next; ++i) {
      if (!is_free_ || rows[i].angular) continue;
      const Vec3 direction = to_frame * rows[i].direction;
      scaled_.row(static_cast<Eigen::Index>(i)).tail(modes) -=
          direction.transpose().lazyProduct(around.shift_rows);
    }
  }
}

void ModalRows::set(const Surroundings& around, std::span<const BodyRow> rows, float* scaled,
                    std::ptrdiff_t stride) noexcept {
  set_scales(around);
  count_ = static_cast<int>(rows.size());
  set_shape_rows(around, rows);
  for (int i = 0; i < count_; ++i) {
    const BodyRow& row = rows[static_cast<std::size_t>(i)];
    auto J = scaled_.row(i);
    if (is_free_) {
      const Vec3 turning =
          row.angular ? row.direction : Vec3((row.place - start_centre_).cross(row.direction));
      J.head<3>() = row.angular ? Vec3::Zero().transpose().eval()
                                : (row.direction / std::sqrt(mass_)).transpose().eval();
      J.segment<3>(3) = (from_scaled_turn_.transpose() * turning).transpose();
    }
    scale_modes(i, scaled_);
  }
  if (around.held != nullptr && around.held->held_row_count() > 0) project_held(around);
  for (int i = 0; i < count_; ++i) {
    for (Eigen::Index k = 0; k < frame_columns() + active_; ++k) {
      scaled[i * stride + k] = static_cast<float>(scaled_(i, k));
    }
  }
}

void ModalRows::scale_held(const Surroundings& around, Eigen::Ref<ModeMatrix> rows) const {
  around.held->held_rows(around.shape, around.state, rows);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    auto row = rows.row(i);
    scale_modes(i, rows);
    if (!is_free_) continue;
    row.head<3>() /= std::sqrt(mass_);
    row.segment<3>(3) = (row.segment<3>(3) * from_scaled_turn_).eval();
  }
}

void ModalRows::project_held(const Surroundings& around) {
  const int rows = around.held->held_row_count();
  if (rows > held_.rows()) held_.resize(rows, length_);  // handles that came after reserve()
  scale_held(around, held_.topRows(rows));
  take_out(held_.topRows(rows), scaled_.topRows(count_));
}

void take_out(Eigen::Ref<ModeMatrix> held, Eigen::Ref<ModeMatrix> rows) {
  constexpr double kDependent = 1e-6;
  Eigen::Index kept = 0;
  for (Eigen::Index i = 0; i < held.rows(); ++i) {
    auto row = held.row(i);
    const double length = row.norm();
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index j = 0; j < kept; ++j) row -= row.dot(held.row(j)) * held.row(j);
    }
    const double left = row.norm();
    if (left <= kDependent * length) continue;
    held.row(kept) = row / left;
    ++kept;
  }
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index j = 0; j < kept; ++j)
        rows.row(i) -= rows.row(i).dot(held.row(j)) * held.row(j);
    }
  }
}

template <class Real>
void ModalRows::motion(const ModalState& state, Real* velocity, Real* displacement) const noexcept {
  const auto write = [](const Vec3& vector, Real* out) {
    for (int k = 0; k < 3; ++k) out[k] = static_cast<Real>(vector[k]);
  };
  if (is_free_) {
    const RigidFrame& rigid = *state.rigid;
    const double root = std::sqrt(mass_);
    write(root * rigid.velocity(), velocity);
    write(root * (rigid.mass_centre() - start_centre_), displacement);
    write(to_scaled_turn_ * rigid.angular_velocity(), velocity + 3);
    const Vec3 turn = rotation_log(rigid.rotation() * start_rotation_.transpose());
    write(to_scaled_turn_ * turn, displacement + 3);
  }
  const Eigen::Index first = frame_columns();
  const auto write_modes = [&](const Vector& change, Real* out) {
    modes_ = change;
    if (nonlinear_ != nullptr) {
      nonlinear_->scale_motion(modes_);
    } else {
      for (Eigen::Index k = 0; k < active_; ++k)
        modes_[k] = scale_[k] > 0 ? modes_[k] / scale_[k] : 0;
    }
    for (Eigen::Index k = 0; k < active_; ++k) out[first + k] = static_cast<Real>(modes_[k]);
  };
  write_modes(state.v, velocity);
  difference_ = state.q - start_q_;
  write_modes(difference_, displacement);
}

template void ModalRows::motion(const ModalState&, float*, float*) const noexcept;
template void ModalRows::motion(const ModalState&, double*, double*) const noexcept;

void ModalRows::apply(std::span<const double> impulses, bool move, std::span<const Vec3> carried,
                      ModalState& state) noexcept {
  change_.setZero();
  // The rows' arms are those of set(). Meanwhile places and the mass centre have moved on: up to
  // where the impulse acts, which is before a touching step drifts.
  Vec3 moved = Vec3::Zero(), torque = Vec3::Zero();
  if (is_free_) {
    moved = state.rigid->mass_centre() - start_centre_;
    if (move) moved -= h_ * state.rigid->velocity();
  }
  const int threes = count_ / 3;
  kernels::add_transposed(scaled_.data(), threes, static_cast<int>(length_), impulses.data(),
                          change_.data());
  for (int i = 3 * threes; i < count_; ++i)
    change_ += impulses[static_cast<std::size_t>(i)] * scaled_.row(i).transpose();
  if (is_free_) {
    const double root = std::sqrt(mass_);
    torque = -root * moved.cross(change_.head<3>());
    for (int i = 0; i < count_ && !carried.empty(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (impulses[k] == 0) continue;
      const Vec3 along = scaled_.row(i).head<3>().transpose();
      torque += (root * impulses[k]) * carried[k].cross(along);
    }
  }
  modes_ = change_.tail(scale_.size());
  if (nonlinear_ != nullptr) {
    nonlinear_->unscale(modes_);
    state.v += modes_;
    if (move) state.q += h_ * modes_;
  } else {
    modes_.array() *= scale_.array();
    state.v += modes_;
    if (move) state.q += travel_.cwiseProduct(modes_);
  }
  if (!is_free_) return;
  RigidFrame& rigid = *state.rigid;
  const Vec3 dv = change_.head<3>() / std::sqrt(mass_);
  const Vec3 scaled_turn = change_.segment<3>(3) + Vec3(from_scaled_turn_.transpose() * torque);
  // Δω = L ω̃ and ΔL = I Δω = L⁻ᵀ ω̃.
  rigid.push(mass_ * dv, to_scaled_turn_.transpose() * scaled_turn);
  if (move) rigid.shift(h_ * dv, h_ * (from_scaled_turn_ * scaled_turn));
}

void ModalRows::apply_sum(const RowSum& sum, bool move, ModalState& state) noexcept {
  const Eigen::Index first = frame_columns();
  for (Eigen::Index k = 0; k < active_; ++k) {
    const double by =
        scale_[k] * static_cast<double>(sum.change[static_cast<std::size_t>(first + k)]);
    state.v[k] += by;
    if (move) state.q[k] += travel_[k] * by;
  }
  RigidFrame& rigid = *state.rigid;
  // Where the impulse acts is before a touching step drifts.
  Vec3 centre = rigid.mass_centre();
  if (move) centre -= h_ * rigid.velocity();
  const Vec3 torque = sum.moment + (sum.about - centre).cross(sum.impulse);
  rigid.push(sum.impulse, torque);
  if (!move) return;
  const Vec3 turn = from_scaled_turn_ * (from_scaled_turn_.transpose() * torque);
  rigid.shift(h_ / mass_ * sum.impulse, h_ * turn);
}

}  // namespace limber
