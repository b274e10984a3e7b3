// Conjugate gradients and conjugate residuals on vectors that are allocated once.
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

  /// Generalised conjugate residuals (Eisenstat, Elman & Schultz 1983), for A without symmetry.
  /// Equal to GMRES, so what is left never grows, where BiCGSTAB may leave more than there was;
  /// each step costs one product and one preconditioner. The first call allocates the directions.
  KrylovStatus conjugate_residuals(const LinearOperator& A, const Preconditioner& P, double goal,
                                   int most_iterations, Vector& x, Vector& r);

 private:
  static constexpr int kDirections = 50;

  struct Direction {
    Vector p, Ap;
    double square;  // |A p|²
  };
  /// Puts A p of direction `last` at right angles to those before it; false where nothing is left.
  bool make_conjugate(int last);

  Vector p_, z_, Ap_, s_;
  std::vector<Direction> directions_;
};

}  // namespace limber
