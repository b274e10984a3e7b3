#include "limber/dynamics/modal/nonlinear_step.h"

#include <algorithm>
#include <cmath>

namespace limber {

NonlinearStep::NonlinearStep(ReducedElements elements, ElasticLaw law, const Vector& eigenvalues)
    : elements_(std::move(elements)), law_(law), eigenvalues_(eigenvalues) {
  const Eigen::Index r = eigenvalues_.size();
  for (Vector* vector :
       {&damping_, &d_, &at_, &end_, &g_, &residual_, &step_, &start_acceleration_, &column_}) {
    vector->setZero(r);
  }
  A_.setIdentity(r, r);
  factor_ = rows_factor_ = Eigen::LLT<Eigen::MatrixXd>(A_);
}

void NonlinearStep::elastic(const Vector& q, Vector& g, Eigen::MatrixXd* K) const {
  elements_.forces(law_, q, g);
  if (K != nullptr) elements_.stiffness(law_, q, *K);
}

/// A = 2/h² + C/h + K/2 in flight, 1/h² + C/h + K while touching. Where the law's own curvature
/// makes it indefinite the stiffness at rest is mixed in: still a way down, only a longer one.
void NonlinearStep::factor(double h, StepKind kind, const Damping& damping,
                           const Vector& at) noexcept {
  const bool flight = kind == StepKind::flight;
  damping_ = (damping.stiffness * eigenvalues_).array() + damping.mass;
  elements_.stiffness(law_, at, A_);
  if (flight) A_ *= 0.5;
  A_.diagonal() += damping_ / h;
  A_.diagonal().array() += (flight ? 2 : 1) / (h * h);
  factor_.compute(A_);
  for (double share = 0.01; factor_.info() != Eigen::Success && share < 1e6; share *= 4) {
    A_.diagonal() += share * eigenvalues_;
    factor_.compute(A_);
  }
  h_ = h;
  kind_ = kind;
}

/// residual = f − (inertia + damping + ḡ) at d_.
void NonlinearStep::set_residual(double h, const Vector& f, const Vector& q, const Vector& v) {
  if (kind_ == StepKind::touching) {
    end_ = q + d_;
    elements_.forces(law_, end_, g_);
    residual_ = f - g_ - damping_.cwiseProduct(d_) / h - (d_ / h - v) / h;
    return;
  }
  at_ = q + 0.5 * d_;
  elements_.forces(law_, at_, g_);
  residual_ = f - g_ - damping_.cwiseProduct(d_) / h - (2 / h) * (d_ / h - v);
  // Ways so short that their energy is rounding have no use for the correction.
  const double length = d_.squaredNorm();
  if (length <= 1e-16 * q.squaredNorm()) return;
  end_ = q + d_;
  const double missing = energy(end_) - start_energy_ - g_.dot(d_);
  residual_ -= missing / length * d_;
}

StepStatus NonlinearStep::advance(double h, StepKind kind, const Damping& damping, const Vector& f,
                                  const Vector& held, Vector& q, Vector& v) noexcept {
  constexpr double kTolerance = 1e-9;  // of the momenta that the step deals with
  constexpr int kMost = 30;
  constexpr double kSlow = 0.3;  // a factor that shrinks errors less is made anew
  StepStatus status;
  start_energy_ = elements_.forces(law_, q, g_);
  at_ = q + (kind == StepKind::flight ? 0.5 * h : h) * v;
  factor(h, kind, damping, at_);
  start_acceleration_ = f - held - g_ - damping_.cwiseProduct(v);
  const double scale =
      std::max({f.norm(), g_.norm(), 2 * v.norm() / h, 1e-30 * eigenvalues_.norm()});
  d_ = h * v;
  set_residual(h, f, q, v);
  double size = residual_.norm();
  for (; status.newton_iterations < kMost && size > kTolerance * scale;
       ++status.newton_iterations) {
    step_ = factor_.solve(residual_);
    const double before = size;
    double length = 1;
    column_ = d_;
    for (;; length /= 2) {
      d_ = column_ + length * step_;
      set_residual(h, f, q, v);
      size = residual_.norm();
      if (size < before || length < 1e-3 || !(size == size)) break;
    }
    if (size > kSlow * before) {
      at_ = q + (kind == StepKind::flight ? 0.5 : 1.0) * d_;
      factor(h, kind, damping, at_);
    }
  }
  status.residual = scale > 0 ? size / scale : 0;
  if (!std::isfinite(scale)) status.residual = scale;  // every residual is small beside it
  status.converged = status.residual <= 1e-6;
  status.solver_iterations = status.newton_iterations;
  q += d_;
  if (kind == StepKind::flight) {
    v = (2 / h) * d_ - v;
  } else {
    v = d_ / h;
  }
  column_ = held;
  factor_.solveInPlace(column_);
  q -= column_;
  v -= (kind == StepKind::flight ? 2 : 1) / h * column_;
  return status;
}

void NonlinearStep::prepare_rows(double h, const Damping& damping, const Vector& q) noexcept {
  factor(h, StepKind::touching, damping, q);
  rows_factor_ = factor_;
  rows_h_ = h;
}

void NonlinearStep::respond(bool impulses,
                            Eigen::Ref<ModeMatrix, 0, Eigen::OuterStride<>> positions,
                            Eigen::Ref<ModeMatrix, 0, Eigen::OuterStride<>> velocities) const {
  const double rate = (kind_ == StepKind::flight ? 2 : 1) / h_;  // dv' = rate dq'
  for (Eigen::Index row = 0; row < velocities.rows(); ++row) {
    column_ = velocities.row(row).transpose();
    factor_.solveInPlace(column_);
    if (impulses) column_ *= rate;  // v enters the equations as rate · v
    positions.row(row) = column_.transpose();
    if (impulses && kind_ == StepKind::flight) {
      velocities.row(row) = rate * positions.row(row) - velocities.row(row);
    } else {
      velocities.row(row) = rate * positions.row(row);
    }
  }
}

// S = h^-½ h^-½ L⁻ᵀ: an impulse p over the step is a force p/h, which changes v by A⁻¹ p/h².
void NonlinearStep::scale_row(Vector& row) const noexcept {
  rows_factor_.matrixL().solveInPlace(row);
  row /= rows_h_;
}

void NonlinearStep::scale_motion(Vector& motion) const noexcept {
  column_.noalias() = rows_factor_.matrixU() * motion;
  motion = rows_h_ * column_;
}

void NonlinearStep::unscale(Vector& change) const noexcept {
  rows_factor_.matrixU().solveInPlace(change);
  change /= rows_h_;
}

}  // namespace limber
