#include "limber/dynamics/full_space/krylov.h"

#include <algorithm>
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

KrylovStatus Krylov::gmres(const LinearOperator& A, const Preconditioner& P, double goal,
                           int most_iterations, Vector& x, Vector& r) {
  KrylovStatus status;
  status.residual = r.norm();
  if (basis_.cols() == 0) basis_.resize(r.size(), kBasis + 1);
  while (status.iterations < most_iterations && status.residual > goal) {
    const double before = status.residual;
    const int most = std::min(kBasis, most_iterations - status.iterations);
    const int columns = grow_basis(A, P, goal, most, r);
    if (columns == 0) return status;
    status.iterations += columns;
    add_least_residual(P, columns, x);
    // What the recursion thinks is left and what is left differ by the preconditioner's rounding.
    A.apply(z_, Ap_);
    r -= Ap_;
    status.residual = r.norm();
    constexpr double kStagnant = 0.999;
    if (!(status.residual < kStagnant * before)) break;
  }
  status.converged = status.residual <= goal;
  return status;
}

/// Arnoldi's process with Givens rotations; returns the number of new directions, 0 when A gives
/// numbers that are not finite.
int Krylov::grow_basis(const LinearOperator& A, const Preconditioner& P, double goal, int most,
                       const Vector& r) {
  rhs_.setZero();
  rhs_[0] = r.norm();
  basis_.col(0) = r / rhs_[0];
  for (int k = 0; k < most; ++k) {
    p_ = basis_.col(k);
    P.apply(p_, z_);
    A.apply(z_, Ap_);
    for (int i = 0; i <= k; ++i) {
      H_(i, k) = basis_.col(i).dot(Ap_);
      Ap_ -= H_(i, k) * basis_.col(i);
    }
    const double length = Ap_.norm();
    if (!std::isfinite(length)) return 0;
    for (int i = 0; i < k; ++i) {
      const double upper = cosine_[i] * H_(i, k) + sine_[i] * H_(i + 1, k);
      H_(i + 1, k) = -sine_[i] * H_(i, k) + cosine_[i] * H_(i + 1, k);
      H_(i, k) = upper;
    }
    const double diagonal = std::hypot(H_(k, k), length);
    if (!(diagonal > 0)) return k;
    cosine_[k] = H_(k, k) / diagonal;
    sine_[k] = length / diagonal;
    H_(k, k) = diagonal;
    rhs_[k + 1] = -sine_[k] * rhs_[k];
    rhs_[k] *= cosine_[k];
    if (std::abs(rhs_[k + 1]) <= goal || length == 0) return k + 1;
    basis_.col(k + 1) = Ap_ / length;
  }
  return most;
}

/// x += P V y with the y that leaves least; the step stays in z_.
void Krylov::add_least_residual(const Preconditioner& P, int columns, Vector& x) {
  for (int i = columns - 1; i >= 0; --i) {
    for (int j = i + 1; j < columns; ++j) rhs_[i] -= H_(i, j) * rhs_[j];
    rhs_[i] /= H_(i, i);
  }
  p_.setZero();
  for (int i = 0; i < columns; ++i) p_ += rhs_[i] * basis_.col(i);
  P.apply(p_, z_);
  x += z_;
}

}  // namespace limber
