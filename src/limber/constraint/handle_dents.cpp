// Handles that dent: what their forces do to detail beyond the modes.
#include "limber/constraint/handle_solver.h"

namespace limber {

void HandleSolver::resize_detail(const StepContext& step) {
  if (step.detail == nullptr) return;
  const Eigen::Index most = step.detail->most_length();
  for (Task* task : {&first_, &second_}) task->detail.setZero(task->J.rows(), most);
  denting_.setZero(forces_.size(), most);
  detail_rows_.setZero(3, most);
  for (Vector* vector : {&free_detail_, &detail_, &detail_change_}) vector->setZero(most);
}

void HandleSolver::set_detail_rows(const StepContext& step, const HandlePose& pose,
                                   const BodyPoint& point, Eigen::Ref<ModeMatrix> rows) const {
  auto used = rows.leftCols(detail_length_);
  step.detail->point_rows(point, *pose.q, used);
  if (!pose.is_free) return;
  for (Eigen::Index k = 0; k < used.cols(); ++k) {
    const Vec3 column = used.col(k);
    used.col(k) = pose.rotation * column;
  }
}

/// Of the exercised points at the pose, and y of the free end.
void HandleSolver::set_denting_rows(const StepContext& step, const HandlePose& pose) {
  detail_length_ = step.detail == nullptr ? 0 : step.detail->length();
  if (detail_length_ == 0) return;
  free_detail_ = step.detail->end();
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    if (exercised_[i].kind != HandleKind::position) continue;
    set_detail_rows(step, pose, exercised_[i].point,
                    denting_.middleRows<3>(static_cast<Eigen::Index>(3 * i)));
  }
}

void HandleSolver::add_dents(double scale, Task& task, Eigen::Index row) const {
  for (Eigen::Index axis = row; axis < row + 3; ++axis) {
    for (Eigen::Index k = 0; k < denting_.rows(); ++k) {
      task.A(axis, k) +=
          scale *
          task.detail.row(axis).head(detail_length_).dot(denting_.row(k).head(detail_length_));
    }
  }
}

/// y under the forces, and the rows of handles that follow the end of the step.
void HandleSolver::find_detail(const StepContext& step, const Vector& forces) {
  if (detail_length_ == 0) return;
  detail_ = free_detail_;
  for (Eigen::Index k = 0; k < forces.size(); ++k) {
    detail_.head(detail_length_) +=
        step.h * step.h * forces[k] * denting_.row(k).head(detail_length_).transpose();
  }
  for (Task* task : {&first_, &second_}) {
    for (std::size_t i = 0; i < task->handles.size(); ++i) {
      const Handle& handle = task->handles[i]->handle;
      if (!dents(handle) || !is_exact(handle)) continue;
      set_detail_rows(step, now_, handle.point,
                      task->detail.middleRows<3>(static_cast<Eigen::Index>(3 * i)));
    }
  }
}

void HandleSolver::push_detail(const StepContext& step, double share, const Vector& impulses,
                               bool move) {
  if (detail_length_ == 0) return;
  auto change = detail_change_.head(detail_length_);
  change.setZero();
  for (Eigen::Index k = 0; k < impulses.size(); ++k)
    change += share * impulses[k] * denting_.row(k).head(detail_length_).transpose();
  step.detail->push(change, move);
}

Vec3 HandleSolver::start_detail(const StepContext& step, const BodyPoint& point) const {
  if (detail_length_ == 0) return Vec3::Zero();
  set_detail_rows(step, start_, point, detail_rows_);
  return detail_rows_.leftCols(detail_length_)
      .lazyProduct(step.detail->start().head(detail_length_));
}

}  // namespace limber
