#include "limber/constraint/soft_handles.h"

#include <cmath>
#include <utility>

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
  row_.resize(3, m);
  C_.resize(size, m);
  response_q_.resize(m, size);
  response_v_.resize(m, size);
  system_.resize(size, size);
  stiffness_.resize(size);
  resistance_.resize(size);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(3 * i);
    const SoftHandle& handle = entries[i].handle;
    // At rest, in an endless step, nothing moves that could be resisted.
    const double numerical = std::isfinite(step.h) ? handle.stiffness * step.h / 2 : 0;
    stiffness_.segment<3>(first).setConstant(handle.stiffness);
    resistance_.segment<3>(first).setConstant(handle.damping + numerical);
  }
  missing_.resize(size);
  spring_force_.setZero(size);
}

void SoftHandles::correct(const StepContext& step, Vector& q, Vector& v, Vector& force) {
  linearise(step, q, v);
  response_q_ = step.coefficients.qf.asDiagonal() * C_.transpose();
  response_v_ = step.coefficients.vf.asDiagonal() * C_.transpose();
  // Row by row of F + k C D CᵀF + (d + kh/2) C V CᵀF = what pulls without F.
  system_.noalias() = stiffness_.asDiagonal() * C_.lazyProduct(response_q_);
  system_.noalias() += resistance_.asDiagonal() * C_.lazyProduct(response_v_);
  system_.diagonal().array() += 1;
  spring_force_ = missing_;
  solve_in_place(system_, spring_force_);
  q.noalias() += response_q_ * spring_force_;
  v.noalias() += response_v_ * spring_force_;
  force.noalias() += C_.transpose() * spring_force_;
}

/// C at the start of the step, and the springs' pull at the predicted q, v.
void SoftHandles::linearise(const StepContext& step, const Vector& q, const Vector& v) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const PointRows& rows = entries_[i].rows;
    const auto first = static_cast<Eigen::Index>(3 * i);
    Vec3 start;
    if (step.method == ModalMethod::warping) {
      rows.displacement_derivative(step.previous_q, row_);
      start = rows.displacement(step.previous_q);
    } else {
      row_ = rows.Phi;
      start = rows.Phi * step.previous_q;
    }
    C_.middleRows<3>(first) = row_;
    const Vec3 wanted = entries_[i].handle.target.at(step.time).value - rows.rest_position;
    const Vec3 way = row_ * q - row_ * step.previous_q;
    const Vec3 speed = row_ * v;
    missing_.segment<3>(first) =
        stiffness_[first] * (wanted - start - way) - resistance_[first] * speed;
  }
}

}  // namespace limber
