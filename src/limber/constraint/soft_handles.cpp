#include "limber/constraint/soft_handles.h"

#include "limber/core/rotation.h"

namespace limber {

SoftHandles::SoftHandles(const std::vector<Entry>& entries, const StepContext& step)
    : entries_(entries) {
  const Eigen::Index m = step.body.mode_count();
  const auto size = static_cast<Eigen::Index>(3 * entries.size());
  response_q_.resize(m, size);
  response_v_.resize(m, size);
  response_force_.resize(m, size);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(3 * i);
    const Eigen::MatrixXd Xt = entries[i].rows.Phi.transpose();
    response_q_.middleCols<3>(first) = step.coefficients.qf.asDiagonal() * Xt;
    response_v_.middleCols<3>(first) = step.coefficients.vf.asDiagonal() * Xt;
    response_force_.middleCols<3>(first) = Xt;
  }
  rows_q_.resize(size, m);
  rows_v_.resize(size, m);
  system_.resize(size, size);
  lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(size);
  missing_.resize(size);
  spring_force_.setZero(size);
}

void SoftHandles::correct(const StepContext& step, Vector& q, Vector& v, Vector& force) {
  // In the point's frame: f = Rᵀ F, F = k (x* − R~Φ(q + D f)) − d RΦ(v + V f).
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const SoftHandle& handle = entries_[i].handle;
    const PointRows& rows = entries_[i].rows;
    const auto first = static_cast<Eigen::Index>(3 * i);
    const bool warped = step.method == ModalMethod::warping;
    const Vec3 w = warped ? Vec3(rows.Psi * step.previous_q) : Vec3(Vec3::Zero());
    const Mat3 to_point = rotation_exp(w).transpose();
    rows_q_.middleRows<3>(first) = handle.stiffness * (to_point * mean_rotation(w)) * rows.Phi;
    rows_v_.middleRows<3>(first) = (handle.damping + handle.stiffness * step.h / 2) * rows.Phi;
    const Vec3 wanted = handle.target.at(step.time).value - rows.rest_position;
    missing_.segment<3>(first) = handle.stiffness * (to_point * wanted);
  }
  missing_.noalias() -= rows_q_ * q;
  missing_.noalias() -= rows_v_ * v;
  system_.setIdentity();
  system_.noalias() += rows_q_ * response_q_;
  system_.noalias() += rows_v_ * response_v_;
  lu_.compute(system_);
  spring_force_ = lu_.solve(missing_);
  q.noalias() += response_q_ * spring_force_;
  v.noalias() += response_v_ * spring_force_;
  force.noalias() += response_force_ * spring_force_;
}

}  // namespace limber
