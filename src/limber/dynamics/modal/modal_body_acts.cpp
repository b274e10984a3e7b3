// What others do to a modal body: impulses, rows of contacts and joints, and being put somewhere.
#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/modal_body.h"
#include "limber/dynamics/modal/project_shape.h"

namespace limber {

namespace {

void require_free(const DynamicBody& body, const char* remedy) {
  if (body.is_free()) return;
  throw Error("the body hangs on fixed nodes", "body", remedy);
}

}  // namespace

void ModalBody::apply_impulse(const BodyPoint& point, const Vec3& impulse) {
  check(point, node_count(), "impulse");
  if (!impulse.allFinite()) {
    throw Error("the impulse is not finite", "impulse", "give three numbers in N s");
  }
  ModalState& state = seen();
  ThreeRows rows(3, state.q.size());
  shape_->force_rows(point, state.q, rows);
  const Vec3 local = frame_.rotation.transpose() * impulse;
  if (state.rigid) {
    const Vec3 place = frame_.to_world(shape_->position(point, state.q));
    state.rigid->push(impulse, (place - state.rigid->mass_centre()).cross(impulse));
    ThreeRows shift(3, state.q.size());
    shape_->shift_rows(state.q, shift);
    rows -= shift;
  }
  Vector change = rows.transpose() * local;
  for (Eigen::Index k = 0; k < change.size() && !fade_.idle(); ++k) change[k] *= fade_.mobility(k);
  state.v += change;
  update_frame();
  forget_history();
}

void ModalBody::place(const Vec3& position, const Mat3& rotation) {
  require_free(*this, "move its support");
  forget_history();
  present_.rigid->place(position, rotation);
  update_frame();
}

void ModalBody::set_velocity(const Vec3& velocity, const Vec3& angular_velocity) {
  require_free(*this, "move its support, or apply impulses");
  forget_history();
  present_.v.setZero();
  update_frame();
  present_.rigid->set_velocity(velocity, angular_velocity);
  update_frame();
}

void ModalBody::set_node_state(const Positions& positions, const Positions& velocities) {
  if (positions.rows() != node_count() || velocities.rows() != node_count() ||
      !positions.allFinite() || !velocities.allFinite()) {
    throw Error("the state must have a finite position and velocity for each node", "body",
                "give n×3 numbers each");
  }
  forget_history();
  const ProjectedState state =
      project_shape(model_, *shape_, options_.method, frame_, positions, velocities, is_free());
  if (is_free()) {
    present_.rigid->place(state.frame.position, state.frame.rotation);
  }
  present_.q = state.q;
  present_.v = state.v;
  move_all_modes();
  update_frame();
  if (is_free()) {
    present_.rigid->set_velocity(state.velocity, state.frame.angular_velocity);
    update_frame();
  }
}

void ModalBody::reserve_rows(int rows) {
  rows_.reserve(rows, model_.mode_count(), is_free(),
                correction_ ? correction_->held_row_count() : 0);
}

int ModalBody::row_length(int /*rows*/) const noexcept {
  return fade_.active() + (is_free() ? 6 : 0);
}

void ModalBody::set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                         std::ptrdiff_t stride) noexcept {
  break_interval();
  prepare(h, StepKind::touching);
  StepCorrection* const held = correction_ && !correction_->empty() ? correction_.get() : nullptr;
  // Handles that came since the last step hold from now on.
  if (held != nullptr) {
    held->prepare({model_, *shape_, options_.damping, coefficients_, h, time_ + h, seen(), nullptr,
                   0, nullptr, held_detail_});
  }
  if (nonlinear_) nonlinear_->prepare_rows(h, options_.damping, seen().q);
  if (is_free()) tangent_.set(*shape_, seen().q, seen().rigid->mass_motion());
  frozen_ = is_free() && held == nullptr;
  f_held_ = false;
  const StepCorrection* const projected = held_detail_ == nullptr ? held : nullptr;
  rows_.set({*shape_, seen(), frame_, tangent_.shift_rows(), coefficients_, h, projected,
             nonlinear_.get(), &fade_},
            rows, scaled, stride);
}

void ModalBody::held_modal_rows(double h, Eigen::Ref<ModeMatrix> rows) {
  rows_.scale_held({*shape_, seen(), frame_, tangent_.shift_rows(), coefficients_, h,
                    correction_.get(), nonlinear_.get()},
                   rows);
}

void ModalBody::end_touching() noexcept {
  if (!frozen_) return;
  frozen_ = f_held_ = false;
  update_frame();
}

void ModalBody::scaled_motion(float* velocity, float* displacement) const noexcept {
  rows_.motion(seen(), velocity, displacement);
}

void ModalBody::apply(std::span<const double> impulses, bool move,
                      std::span<const Vec3> carried) noexcept {
  rows_.apply(impulses, move, carried, seen());
  update_frame();
}

void ModalBody::apply_sum(const RowSum& sum, bool move) noexcept {
  rows_.apply_sum(sum, move, seen());
  update_frame();
}

}  // namespace limber
