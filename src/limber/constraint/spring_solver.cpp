#include "limber/constraint/spring_solver.h"

#include <utility>

#include "limber/core/rotation.h"

namespace limber {

namespace {

/// x ← A⁻¹ x by elimination with row exchanges, A overwritten; Eigen's LU allocates.
void solve_in_place(Eigen::MatrixXd& A, Vector& x) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = 0;
    A.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
    if (pivot > 0) {
      A.row(k).swap(A.row(k + pivot));
      std::swap(x[k], x[k + pivot]);
    }
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double share = A(i, k) / A(k, k);
      A.row(i).tail(n - k) -= share * A.row(k).tail(n - k);
      x[i] -= share * x[k];
    }
  }
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    x[k] = (x[k] - A.row(k).tail(n - k - 1).dot(x.tail(n - k - 1))) / A(k, k);
  }
}

}  // namespace

SpringSolver::SpringSolver(const std::vector<HeldPoint>& springs, const StepContext& step)
    : springs_(springs),
      space_(step.model.mode_count(), step.start.rigid.has_value()),
      free_end_(step.start) {
  const auto size = static_cast<Eigen::Index>(3 * springs.size());
  response_.resize(size, space_.length());
  impulses_.setConstant(size, false);
  system_.setZero(size, size);
  for (Vector* vector : {&stiffness_, &resistance_, &missing_, &forces_}) vector->setZero(size);
  for (Vector* vector : {&way_, &velocity_}) vector->setZero(space_.length());
}

void SpringSolver::correct(const StepContext& step, ModalState& end, Vector& force) {
  linearise(step, end);
  // Row by row of F + k J D JᵀF + (d + kh/2) J V JᵀF = what pulls without F.
  system_.noalias() =
      stiffness_.asDiagonal() * response_.G.lazyProduct(response_.position.transpose());
  system_.noalias() +=
      resistance_.asDiagonal() * response_.G.lazyProduct(response_.velocity.transpose());
  system_.diagonal().array() += 1;
  forces_ = missing_;
  solve_in_place(system_, forces_);
  free_end_ = end;
  move_by(step, response_, forces_, impulses_, free_end_, end);
  const Eigen::Index modes = end.q.size();
  for (Eigen::Index i = 0; i < forces_.size(); ++i) {
    end.v += forces_[i] * response_.velocity.row(i).tail(modes).transpose();
    force += forces_[i] * response_.G.row(i).tail(modes).transpose();
  }
}

/// The rows at the start of the step, and the springs' pull at its free end.
void SpringSolver::linearise(const StepContext& step, const ModalState& end) {
  space_.set_pose(step.shape, step.start, true, start_);
  way_.tail(end.q.size()) = end.q - step.start.q;
  velocity_.tail(end.v.size()) = end.v;
  if (end.rigid) {
    way_.head<3>() = end.rigid->mass_centre() - step.start.rigid->mass_centre();
    way_.segment<3>(3) =
        rotation_log(end.rigid->rotation() * step.start.rigid->rotation().transpose());
    velocity_.head<3>() = end.rigid->velocity();
    velocity_.segment<3>(3) = end.rigid->angular_velocity();
  }
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const Handle& handle = springs_[i].handle;
    const auto first = static_cast<Eigen::Index>(3 * i);
    auto J = response_.G.middleRows<3>(first);
    space_.place_rows(step.shape, start_, handle.point, J);
    respond_over_step(space_, step, first, false, response_);
    stiffness_.segment<3>(first).setConstant(handle.stiffness);
    resistance_.segment<3>(first).setConstant(handle.damping + handle.stiffness * step.h / 2);
    const Vec3 place = space_.place(step.shape, start_, handle.point) + J * way_;
    const Vec3 speed = J * velocity_;
    missing_.segment<3>(first) =
        handle.stiffness * (handle.target.at(step.time).value - place) - resistance_[first] * speed;
  }
}

}  // namespace limber
