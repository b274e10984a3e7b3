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
  if (directions_.empty()) directions_.assign(kDirections, {p_, Ap_, 0});
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
    Direction& next = directions_[count];
    // A residual that hardly changed gives hardly a new direction; the last product does.
    P.apply(poor ? directions_[count - 1].Ap : r, next.p);
    A.apply(next.p, next.Ap);
    if (!make_conjugate(count)) break;
    const double part = r.dot(next.Ap) / next.square;
    x += part * next.p;
    r -= part * next.Ap;
    const double left = r.norm();
    poor = left > kPoor * status.residual;
    status.residual = left;
    ++status.iterations;
  }
  status.converged = status.residual <= goal;
  return status;
}

bool Krylov::make_conjugate(int last) {
  Direction& fresh = directions_[last];
  for (int i = 0; i < last; ++i) {
    const Direction& old = directions_[i];
    const double common = old.Ap.dot(fresh.Ap) / old.square;
    fresh.Ap -= common * old.Ap;
    fresh.p -= common * old.p;
  }
  fresh.square = fresh.Ap.squaredNorm();
  return fresh.square > 0 && std::isfinite(fresh.square);
}

}  // namespace limber
