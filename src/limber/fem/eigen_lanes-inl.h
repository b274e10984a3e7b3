// Eigenvalues and eigenvectors of a symmetric 3×3 matrix on each SIMD lane, by Jacobi's cyclic
// rotations: never fails, and the vectors are orthonormal whatever comes in.
#if defined(LIMBER_FEM_EIGEN_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_FEM_EIGEN_LANES_INL_H_
#undef LIMBER_FEM_EIGEN_LANES_INL_H_
#else
#define LIMBER_FEM_EIGEN_LANES_INL_H_
#endif

#include "limber/fem/tet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

/// Makes entry (p, q) of `A` zero by a rotation, which `Q`'s columns take along.
HWY_INLINE void jacobi_rotation(int p, int q, LaneMatrix& A, LaneMatrix& Q) {
  const D d;
  const V a = A.v[3 * p + q];
  const V gap = hn::Sub(A.v[4 * q], A.v[4 * p]);
  const V twice = add(a, a);
  // t = tan of the smaller angle; 0 where a is, also if the two diagonal entries are equal.
  const V root = hn::Sqrt(hn::MulAdd(gap, gap, mul(twice, twice)));
  const V size = add(hn::Abs(gap), root);
  const V t = hn::IfThenElseZero(hn::Gt(size, hn::Zero(d)),
                                 hn::Div(hn::CopySignToAbs(constant(1), gap), size));
  const V tangent = mul(t, twice);
  const V c = hn::Div(constant(1), hn::Sqrt(hn::MulAdd(tangent, tangent, constant(1))));
  const V s = mul(tangent, c);
  const int r = 3 - p - q;
  const V pr = A.v[3 * p + r];
  const V qr = A.v[3 * q + r];
  A.v[4 * p] = hn::NegMulAdd(tangent, a, A.v[4 * p]);
  A.v[4 * q] = hn::MulAdd(tangent, a, A.v[4 * q]);
  A.v[3 * p + q] = A.v[3 * q + p] = hn::Zero(d);
  A.v[3 * p + r] = A.v[3 * r + p] = hn::MulSub(c, pr, mul(s, qr));
  A.v[3 * q + r] = A.v[3 * r + q] = hn::MulAdd(s, pr, mul(c, qr));
  for (int i = 0; i < 3; ++i) {
    const V ip = Q.v[3 * i + p];
    const V iq = Q.v[3 * i + q];
    Q.v[3 * i + p] = hn::MulSub(c, ip, mul(s, iq));
    Q.v[3 * i + q] = hn::MulAdd(s, ip, mul(c, iq));
  }
}

struct LaneEigen {
  LaneVector values;   ///< in no order
  LaneMatrix vectors;  ///< columns
};

/// A = Q diag(values) Qᵀ.
HWY_INLINE LaneEigen symmetric_eigen(LaneMatrix A) {
  LaneEigen result;
  for (int k = 0; k < 9; ++k) result.vectors.v[k] = constant(k % 4 == 0 ? 1 : 0);
  // Convergence is quadratic from the first sweep or two on: with five, what is left of the
  // off-diagonals is below the diagonal's rounding.
  for (int sweep = 0; sweep < 5; ++sweep) {
    jacobi_rotation(0, 1, A, result.vectors);
    jacobi_rotation(0, 2, A, result.vectors);
    jacobi_rotation(1, 2, A, result.vectors);
  }
  for (int i = 0; i < 3; ++i) result.values.v[i] = A.v[4 * i];
  return result;
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
