#include "limber/constraint/handle_space.h"

#include "limber/core/rotation.h"

namespace limber {

void HandleSpace::set_pose(ModalShape& shape, const ModalState& state, bool rows,
                           HandlePose& pose) const {
  pose.q = &state.q;
  pose.is_free = is_free_;
  if (!is_free_) return;
  pose.rotation = state.rigid->rotation();
  pose.centre = state.rigid->mass_centre();
  pose.local_centre = shape.rest_centre() + shape.shift(state.q);
  if (!rows) return;
  pose.shift_rows.resize(3, modes_);
  shape.shift_rows(state.q, pose.shift_rows);
}

Vec3 HandleSpace::place(const ModalShape& shape, const HandlePose& pose,
                        const BodyPoint& point) const {
  const Vec3 x = shape.position(point, *pose.q);
  if (!is_free_) return x;
  return pose.centre + pose.rotation * (x - pose.local_centre);
}

/// B_ holds the point's rows in the frame.
void HandleSpace::fill(const HandlePose& pose, const Vec3& place, Rows rows) const {
  if (!is_free_) {
    rows = B_;
    return;
  }
  rows.leftCols<3>().setIdentity();
  rows.middleCols<3>(3) = -skew(place - pose.centre);
  B_ -= pose.shift_rows;
  rows.rightCols(modes_).noalias() = pose.rotation.lazyProduct(B_);
}

void HandleSpace::place_rows(const ModalShape& shape, const HandlePose& pose,
                             const BodyPoint& point, Rows rows) const {
  shape.derivative(point, *pose.q, B_);
  fill(pose, place(shape, pose, point), rows);
}

void HandleSpace::force_rows(const ModalShape& shape, const HandlePose& pose,
                             const BodyPoint& point, Rows rows) const {
  shape.force_rows(point, *pose.q, B_);
  fill(pose, place(shape, pose, point), rows);
}

void HandleSpace::turn_rows(const ModalShape& shape, const HandlePose& pose, const BodyPoint& point,
                            Rows rows) const {
  shape.turn_rows(point, B_);
  if (!is_free_) {
    rows = B_;
    return;
  }
  // d/dt exp[w]× = [R~(w) ẇ]× exp[w]×.
  const Mat3 turned = pose.rotation * mean_rotation(shape.turn(point, *pose.q));
  rows.leftCols<3>().setZero();
  rows.middleCols<3>(3).setIdentity();
  rows.rightCols(modes_).noalias() = turned.lazyProduct(B_);
}

Mat3 HandleSpace::orientation(const ModalShape& shape, const HandlePose& pose,
                              const BodyPoint& point) const {
  return pose.rotation * rotation_exp(shape.turn(point, *pose.q));
}

}  // namespace limber
