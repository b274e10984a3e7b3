// Conjugate gradients and GMRES on vectors that are allocated once.
#pragma once

#include "limber/core/types.h"
#include "limber/fem/block_matrix.h"

namespace limber {

/// y = A x.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual void apply(const Vector& x, Vector& y) const = 0;
};

/// A matrix of blocks; must outlive this.
class BlockOperator final : public LinearOperator {
 public:
  explicit BlockOperator(const BlockMatrix& A) : A_(A) {}
  void apply(const Vector& x, Vector& y) const override { A_.multiply(x, y); }

 private:
  const BlockMatrix& A_;
};

/// z ≈ A⁻¹ r, symmetric and positive definite.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  virtual void apply(const Vector& r, Vector& z) const = 0;
};

struct KrylovStatus {
  bool converged = false;
  int iterations = 0;
  double residual = 0;              ///< |b − A x|, absolute
  bool negative_curvature = false;  ///< A is not positive definite; x is the last good iterate
};

/// Work vectors for systems of one size. Solving allocates nothing.
class Krylov {
 public:
  explicit Krylov(int size);

  /// Preconditioned conjugate gradients, A symmetric. On entry r holds b − A x for the x given; on
  /// return it holds what is left. Stops at |r| ≤ goal.
  KrylovStatus conjugate_gradients(const LinearOperator& A, const Preconditioner& P, double goal,
                                   int most_iterations, Vector& x, Vector& r);

  /// GMRES, restarted, with the preconditioner on the right, for A without symmetry. What is left
  /// never grows, where BiCGSTAB may leave more than there was. The first call allocates the basis.
  KrylovStatus gmres(const LinearOperator& A, const Preconditioner& P, double goal,
                     int most_iterations, Vector& x, Vector& r);

 private:
  static constexpr int kBasis = 50;

  int grow_basis(const LinearOperator& A, const Preconditioner& P, double goal, int most,
                 const Vector& r);
  void add_least_residual(const Preconditioner& P, int columns, Vector& x);

  Vector p_, z_, Ap_, s_;
  Eigen::MatrixXd basis_;  // of GMRES, one more column than directions
  Eigen::Matrix<double, kBasis, kBasis> H_;
  Eigen::Matrix<double, kBasis + 1, 1> rhs_;
  Eigen::Matrix<double, kBasis, 1> cosine_, sine_;
};

}  // namespace limber
