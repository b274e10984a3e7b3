#include "limber/dynamics/full_space/krylov.h"

#include <cmath>

namespace limber {

Krylov::Krylov(int size) : p_(size), z_(size), Ap_(size), s_(size) {}

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

KrylovStatus Krylov::conjugate_residuals(const LinearOperator& A, const Preconditioner& P,
                                         double goal, int most_iterations, Vector& x, Vector& r) {
  constexpr double kPoor = 0.9;        // of a step, in what it leaves of the residual
  constexpr double kStagnant = 0.999;  // of all directions together
  if (P_.cols() == 0) {
    P_.resize(r.size(), kDirections);
    AP_.resize(r.size(), kDirections);
  }
  KrylovStatus status;
  status.residual = r.norm();
  double at_restart = status.residual;
  bool poor = false;
  for (int count = 0; status.iterations < most_iterations && status.residual > goal; ++count) {
    if (count == kDirections) {
      if (!(status.residual < kStagnant * at_restart)) break;
      at_restart = status.residual;
      count = 0;
      poor = false;
    }
    // A residual that hardly changed gives hardly a new direction; the last product does.
    P.apply(poor ? Ap_ : r, p_);
    A.apply(p_, Ap_);
    if (!make_conjugate(count)) break;
    const double part = r.dot(Ap_);
    x += part * p_;
    r -= part * Ap_;
    const double left = r.norm();
    poor = left > kPoor * status.residual;
    status.residual = left;
    ++status.iterations;
  }
  status.converged = status.residual <= goal;
  return status;
}

bool Krylov::make_conjugate(int count) {
  for (int i = 0; i < count; ++i) {
    const double common = AP_.col(i).dot(Ap_);
    Ap_ -= common * AP_.col(i);
    p_ -= common * P_.col(i);
  }
  const double length = Ap_.norm();
  if (!(length > 0) || !std::isfinite(length)) return false;
  Ap_ /= length;
  p_ /= length;
  AP_.col(count) = Ap_;
  P_.col(count) = p_;
  return true;
}

}  // namespace limber
