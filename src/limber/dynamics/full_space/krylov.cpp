#include "limber/dynamics/full_space/krylov.h"

#include <cmath>

namespace limber {

Krylov::Krylov(int size) : p_(size), z_(size), Ap_(size), shadow_(size), s_(size), As_(size) {}

KrylovStatus Krylov::conjugate_gradients(const LinearOperator& A, const Preconditioner& P,
                                         double goal, int most_iterations, Vector& x, Vector& r) {
  KrylovStatus status;
  status.residual = r.norm();
  double rz = 0;
  while (status.iterations < most_iterations && status.residual > goal) {
    P.apply(r, z_);
    // Polak and Ribière's β forgives a preconditioner that single precision makes not quite linear.
    const double old_rz = rz;
    const double fresh_rz = r.dot(z_);
    if (status.iterations == 0) {
      p_ = z_;
    } else {
      const double beta = (fresh_rz - s_.dot(z_)) / old_rz;
      p_ = z_ + beta * p_;
    }
    rz = fresh_rz;
    A.apply(p_, Ap_);
    const double curvature = p_.dot(Ap_);
    if (!(curvature > 0) || !(rz > 0)) {
      status.negative_curvature = std::isfinite(curvature);
      return status;
    }
    s_ = r;
    const double alpha = rz / curvature;
    x += alpha * p_;
    r -= alpha * Ap_;
    status.residual = r.norm();
    ++status.iterations;
  }
  status.converged = status.residual <= goal;
  return status;
}

KrylovStatus Krylov::bicgstab(const LinearOperator& A, const Preconditioner& P, double goal,
                              int most_iterations, Vector& x, Vector& r) {
  KrylovStatus status;
  status.residual = r.norm();
  double rho = 1;
  double alpha = 1;
  double omega = 1;
  bool restart = true;
  while (status.iterations < most_iterations && status.residual > goal) {
    if (restart) shadow_ = r;
    const double fresh_rho = shadow_.dot(r);
    if (restart) {
      p_ = r;
    } else {
      const double beta = fresh_rho / rho * (alpha / omega);
      p_ = r + beta * (p_ - omega * Ap_);
    }
    rho = fresh_rho;
    P.apply(p_, z_);
    A.apply(z_, Ap_);
    const double slope = shadow_.dot(Ap_);
    // The residual has become orthogonal to the shadow: start afresh from where we are, unless
    // that has just been done.
    if (!(std::abs(slope) > 1e-14 * shadow_.norm() * Ap_.norm())) {
      if (restart) return status;
      restart = true;
      continue;
    }
    restart = false;
    alpha = rho / slope;
    s_ = r - alpha * Ap_;
    x += alpha * z_;
    P.apply(s_, z_);
    A.apply(z_, As_);
    const double squared = As_.squaredNorm();
    omega = squared > 0 ? As_.dot(s_) / squared : 0;
    x += omega * z_;
    r = s_ - omega * As_;
    status.residual = r.norm();
    ++status.iterations;
    if (!std::isfinite(status.residual)) return status;
    if (omega == 0) restart = true;
  }
  status.converged = status.residual <= goal;
  return status;
}

}  // namespace limber
