#include "limber/constraint/soft_handles.h"

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
    const Mat3 pull = handle.stiffness * to_point * mean_rotation(w);
    rows_q_.middleRows<3>(first).noalias() = pull * rows.Phi;
    rows_v_.middleRows<3>(first) = (handle.damping + handle.stiffness * step.h / 2) * rows.Phi;
    const Vec3 wanted = handle.target.at(step.time).value - rows.rest_position;
    missing_.segment<3>(first) = handle.stiffness * (to_point * wanted);
  }
  missing_.noalias() -= rows_q_ * q;
  missing_.noalias() -= rows_v_ * v;
  system_.setIdentity();
  system_.noalias() += rows_q_.lazyProduct(response_q_);  // Eigen's large products allocate
  system_.noalias() += rows_v_.lazyProduct(response_v_);
  spring_force_ = missing_;
  solve_in_place(system_, spring_force_);
  q.noalias() += response_q_ * spring_force_;
  v.noalias() += response_v_ * spring_force_;
  force.noalias() += response_force_ * spring_force_;
}

}  // namespace limber
