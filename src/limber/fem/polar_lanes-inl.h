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
HWY_NOINLINE void replace_by_svd(const LaneMatrix& F, hn::Mask<D> bad, LaneMatrix& R) {
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

HWY_INLINE LaneMatrix polar(const LaneMatrix& F_unscaled) {
  const D d;
  // |F| = 1 from here on: nothing overflows, and tolerances are relative.
  const V norm = hn::Sqrt(dot(F_unscaled, F_unscaled));
  const LaneMatrix F = scaled(F_unscaled, hn::Div(constant(1), norm));
  const LaneMatrix cof = cofactors(F);
  const V det = dot3(F.v[0], cof.v[0], F.v[1], cof.v[1], F.v[2], cof.v[2]);
  const V constant_term = hn::NegMulAdd(constant(4), dot(cof, cof), constant(1));
  const V eight_det = mul(constant(8), det);

  // Newton's method doubles the digits: after a step below 1e-9 only rounding is left.
  constexpr int kMostIterations = 12;
  constexpr double kLastStep = 1e-9;
  V i1 = constant(1.7320508075688772);
  V step = i1;
  for (int k = 0; k < kMostIterations; ++k) {
    const V square = mul(i1, i1);
    const V value = hn::MulAdd(square, hn::Sub(square, constant(2)),
                               hn::NegMulAdd(eight_det, i1, constant_term));
    const V slope = hn::MulSub(mul(constant(4), i1), hn::Sub(square, constant(1)), eight_det);
    step = hn::Div(value, slope);
    i1 = hn::Sub(i1, step);
    if (hn::AllTrue(d, hn::Lt(hn::Abs(step), constant(kLastStep)))) break;
  }

  const V i1_squared = mul(i1, i1);
  const V i2 = mul(constant(0.5), hn::Sub(i1_squared, constant(1)));
  const V gap = hn::MulSub(i1, i2, det);
  const LaneMatrix cubic = product(F, gram(F));
  const V a = hn::Div(i1, gap);
  const V b = hn::Div(hn::Sub(i1_squared, i2), gap);
  const V c = hn::Div(constant(1), gap);
  LaneMatrix R;
  for (int k = 0; k < 9; ++k) {
    R.v[k] = hn::NegMulAdd(c, cubic.v[k], hn::MulAdd(b, F.v[k], mul(a, cof.v[k])));
  }
  // Rounding of i₁ is about eps/gap and that of R eps/gap²: 1e-10 at this limit. Beyond it, and
  // where |F| is zero or not finite (comparisons with NaN are false), the slow way.
  constexpr double kLeastGap = 1e-3;
  const auto good =
      hn::And(hn::Gt(gap, constant(kLeastGap)), hn::Le(hn::Abs(step), constant(kLastStep)));
  if (HWY_UNLIKELY(!hn::AllTrue(d, good))) replace_by_svd(F_unscaled, hn::Not(good), R);
  return R;
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
