// Vectors of three and turns in the lanes of samples' kernels, in float.
#if defined(LIMBER_DYNAMICS_SAMPLE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_DYNAMICS_SAMPLE_LANES_INL_H_
#undef LIMBER_DYNAMICS_SAMPLE_LANES_INL_H_
#else
#define LIMBER_DYNAMICS_SAMPLE_LANES_INL_H_
#endif

#include <cstddef>

#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<float>;
using V = hn::Vec<Lanes>;

/// Three components of as many nodes as there are lanes.
struct V3 {
  V x, y, z;
};

HWY_INLINE V3 load(const float* rows, std::size_t stride) {
  const Lanes d;
  return {hn::LoadU(d, rows), hn::LoadU(d, rows + stride), hn::LoadU(d, rows + 2 * stride)};
}
HWY_INLINE void store(const V3& a, float* rows, std::size_t stride) {
  const Lanes d;
  hn::StoreU(a.x, d, rows);
  hn::StoreU(a.y, d, rows + stride);
  hn::StoreU(a.z, d, rows + 2 * stride);
}
HWY_INLINE V3 constant(const float* a) {
  const Lanes d;
  return {hn::Set(d, a[0]), hn::Set(d, a[1]), hn::Set(d, a[2])};
}
HWY_INLINE V3 none() {
  const Lanes d;
  return {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
}
HWY_INLINE V3 cross(const V3& a, const V3& b) {
  return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
          hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
HWY_INLINE V dot(const V3& a, const V3& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
HWY_INLINE V3 plus(const V3& a, const V3& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE V3 times(V s, const V3& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
/// sum + s a.
HWY_INLINE V3 add_times(const V3& sum, V s, const V3& a) {
  return {hn::MulAdd(s, a.x, sum.x), hn::MulAdd(s, a.y, sum.y), hn::MulAdd(s, a.z, sum.z)};
}

/// Σ_k (−t)^k c_k with c_k = 1/(2k + first)!, or (k+1)/(2k + first)!; eight terms: for t ≤ 10 the
/// first one left out is below 1e-7.
template <int kFirst, bool kCounted>
HWY_INLINE V series(V t) {
  const Lanes d;
  double c[8];
  double factorial = 1;
  for (int i = 2; i <= kFirst; ++i) factorial *= i;
  for (int k = 0; k < 8; ++k) {
    c[k] = (k % 2 == 0 ? 1 : -1) * (kCounted ? k + 1 : 1) / factorial;
    factorial *= (2 * k + kFirst + 1) * (2 * k + kFirst + 2);
  }
  auto sum = hn::Set(d, static_cast<float>(c[7]));
  for (int k = 6; k >= 0; --k) sum = hn::MulAdd(sum, t, hn::Set(d, static_cast<float>(c[k])));
  return sum;
}

/// p = f − ½ and g with f = (1−cos θ)/θ², g = (θ−sin θ)/θ³, and their derivatives by t = θ².
struct Coefficients {
  V p, g, dp, dg;

  HWY_INLINE explicit Coefficients(V t) {
    const Lanes d;
    p = hn::Neg(hn::Mul(t, series<4, false>(t)));
    g = series<3, false>(t);
    dp = hn::Neg(series<4, true>(t));
    dg = hn::Neg(series<5, true>(t));
    const auto far = hn::Gt(t, hn::Set(d, 10.0F));
    if (HWY_LIKELY(hn::AllFalse(d, far))) return;
    const auto one = hn::Set(d, 1.0F);
    const auto half = hn::Set(d, 0.5F);
    const auto inverse = hn::Div(one, hn::IfThenElse(far, t, one));
    const auto angle = hn::Sqrt(t);
    const auto a = hn::Mul(hn::Sin(d, angle), hn::Mul(angle, inverse));
    const auto cosine = hn::Cos(d, angle);
    const auto far_f = hn::Mul(hn::Sub(one, cosine), inverse);
    const auto far_g = hn::Mul(hn::Sub(one, a), inverse);
    const auto da = hn::Mul(hn::Sub(cosine, a), hn::Mul(half, inverse));
    const auto two = hn::Set(d, 2.0F);
    p = hn::IfThenElse(far, hn::Sub(far_f, half), p);
    g = hn::IfThenElse(far, far_g, g);
    dp = hn::IfThenElse(far, hn::Mul(hn::NegMulAdd(two, far_f, a), hn::Mul(half, inverse)), dp);
    dg = hn::IfThenElse(far, hn::Neg(hn::Mul(hn::Add(da, far_g), inverse)), dg);
  }
};

HWY_INLINE void reduce(const V3& a, float* out) {
  const Lanes d;
  out[0] = hn::GetLane(hn::SumOfLanes(d, a.x));
  out[1] = hn::GetLane(hn::SumOfLanes(d, a.y));
  out[2] = hn::GetLane(hn::SumOfLanes(d, a.z));
}

/// f_j = row j of `shapes` (modes × length, whole pairs of vectors) · values.
HWY_INLINE void dot_with_modes(const float* shapes, int modes, std::size_t length,
                               const float* values, float* f) {
  const Lanes d;
  for (int j = 0; j < modes; ++j) {
    const float* rows = shapes + static_cast<std::size_t>(j) * length;
    auto s0 = hn::Zero(d), s1 = s0;
    for (std::size_t c = 0; c + 2 * hn::Lanes(d) <= length; c += 2 * hn::Lanes(d)) {
      const std::size_t next = c + hn::Lanes(d);
      s0 = hn::MulAdd(hn::LoadU(d, rows + c), hn::LoadU(d, values + c), s0);
      s1 = hn::MulAdd(hn::LoadU(d, rows + next), hn::LoadU(d, values + next), s1);
    }
    f[j] = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
