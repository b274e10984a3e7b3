// The rotation nearest to each lane's matrix, without square roots of matrices and without history.
//
// F = R S with S symmetric, of signed stretches s₁ ≥ s₂ ≥ |s₃| and det R = +1. With the invariants
// i₁ = s₁+s₂+s₃, i₂ = (i₁² − |F|²)/2, i₃ = det F, Cayley and Hamilton's S³ = i₁S² − i₂S + i₃I turns
// cof F = R (S² − i₁S + i₂I) and F FᵀF = R S³ into
//   R = (i₁ cof F + (i₁² − i₂) F − F FᵀF) / (i₁i₂ − i₃),  i₁i₂ − i₃ = (s₁+s₂)(s₂+s₃)(s₁+s₃);
// i₁ is the largest root of λ⁴ − 2|F|²λ² − 8 det F λ + |F|⁴ − 4|cof F|² (Horn's quaternion matrix;
// Higham & Noferini 2016), whose roots are all real: Newton from √3 |F| ≥ i₁ descends to it.
#if defined(LIMBER_FEM_POLAR_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_FEM_POLAR_LANES_INL_H_
#undef LIMBER_FEM_POLAR_LANES_INL_H_
#else
#define LIMBER_FEM_POLAR_LANES_INL_H_
#endif

#include "limber/core/rotation.h"
#include "limber/fem/tet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

/// Where lanes of `bad` hold F, puts the rotation that a singular value decomposition gives.
HWY_NOINLINE inline void replace_by_svd(const LaneMatrix& F, hn::Mask<D> bad, LaneMatrix& R) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  alignas(64) double in[9][kLanes];
  alignas(64) double out[9][kLanes];
  alignas(64) double flag[kLanes];
  for (int k = 0; k < 9; ++k) {
    hn::Store(F.v[k], D(), in[k]);
    hn::Store(R.v[k], D(), out[k]);
  }
  hn::Store(hn::IfThenElseZero(bad, hn::Set(D(), 1.0)), D(), flag);
  for (std::size_t l = 0; l < hn::Lanes(D()); ++l) {
    if (flag[l] == 0) continue;
    Mat3 matrix;
    for (int k = 0; k < 9; ++k) matrix(k / 3, k % 3) = in[k][l];
    const Mat3 rotation = polar_rotation(matrix);
    for (int k = 0; k < 9; ++k) out[k][l] = rotation(k / 3, k % 3);
  }
  for (int k = 0; k < 9; ++k) R.v[k] = hn::Load(D(), out[k]);
}

/// The rotations of N matrices, in place. Newton's steps wait for divisions: several at a time hide
/// that.
template <int N>
HWY_INLINE void polar(LaneMatrix (&matrix)[N]) {
  const D d;
  LaneMatrix F[N], cof[N];
  V det[N], constant_term[N], i1[N], step[N];
  for (int m = 0; m < N; ++m) {
    // |F| = 1 from here on: nothing overflows, and tolerances are relative.
    const V norm = hn::Sqrt(dot(matrix[m], matrix[m]));
    F[m] = scaled(matrix[m], hn::Div(constant(1), norm));
    cof[m] = cofactors(F[m]);
    det[m] = dot3(F[m].v[0], cof[m].v[0], F[m].v[1], cof[m].v[1], F[m].v[2], cof[m].v[2]);
    constant_term[m] = hn::NegMulAdd(constant(4), dot(cof[m], cof[m]), constant(1));
    i1[m] = constant(1.7320508075688772);
  }

  // Newton's method doubles the digits: after a step below 1e-9 only rounding is left.
  constexpr int kMostIterations = 12;
  constexpr double kLastStep = 1e-9;
  for (int k = 0; k < kMostIterations; ++k) {
    V longest = hn::Zero(d);
    for (int m = 0; m < N; ++m) {
      const V eight_det = mul(constant(8), det[m]);
      const V square = mul(i1[m], i1[m]);
      const V value = hn::MulAdd(square, hn::Sub(square, constant(2)),
                                 hn::NegMulAdd(eight_det, i1[m], constant_term[m]));
      const V slope = hn::MulSub(mul(constant(4), i1[m]), hn::Sub(square, constant(1)), eight_det);
      step[m] = hn::Div(value, slope);
      i1[m] = hn::Sub(i1[m], step[m]);
      longest = hn::Max(longest, hn::Abs(step[m]));
    }
    if (hn::AllTrue(d, hn::Lt(longest, constant(kLastStep)))) break;
  }

  for (int m = 0; m < N; ++m) {
    const V i1_squared = mul(i1[m], i1[m]);
    const V i2 = mul(constant(0.5), hn::Sub(i1_squared, constant(1)));
    const V gap = hn::MulSub(i1[m], i2, det[m]);
    const LaneMatrix cubic = product(F[m], gram(F[m]));
    const V c = hn::Div(constant(1), gap);
    const V a = mul(i1[m], c);
    const V b = mul(hn::Sub(i1_squared, i2), c);
    LaneMatrix R;
    for (int k = 0; k < 9; ++k) {
      R.v[k] = hn::NegMulAdd(c, cubic.v[k], hn::MulAdd(b, F[m].v[k], mul(a, cof[m].v[k])));
    }
    // Rounding of i₁ is about eps/gap and that of R eps/gap²: 1e-10 at this limit. Beyond it, and
    // where |F| is zero or not finite (comparisons with NaN are false), the slow way.
    constexpr double kLeastGap = 1e-3;
    const auto good =
        hn::And(hn::Gt(gap, constant(kLeastGap)), hn::Le(hn::Abs(step[m]), constant(kLastStep)));
    if (HWY_UNLIKELY(!hn::AllTrue(d, good))) replace_by_svd(matrix[m], hn::Not(good), R);
    matrix[m] = R;
  }
}

/// Matrices of a batch that polar() takes at a time; more than two would not stay in registers.
constexpr int kPolarGroup = hn::MaxLanes(D()) < kTetLanes ? 2 : 1;

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
