// Rotations of N vertices at a time: R(w) and the mean rotation R~(w) applied to vectors.
//
// With θ = |w|, Rodrigues' formula and Choi & Ko 2005, appendix II, read
//   R(w) v  = v + s w×v + c w×(w×v),   s = sin θ / θ,       c = (1 − cos θ) / θ²,
//   R~(w) v = v + c w×v + e w×(w×v),   e = (1 − s) / θ².
// From the half angle, with S = sin(θ/2) / (θ/2) and C = cos(θ/2): s = S C and c = S²/2. S and C
// are polynomials in θ² once their zeros at θ = 2π and θ = π are divided out, which keeps them
// relatively exact near those zeros and needs no root, no division and no case near zero.
// Deviates: appendix III divides by θ and gives NaN at rest; here everything is regular there.
#if defined(LIMBER_SKIN_WARP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_SKIN_WARP_INL_H_
#undef LIMBER_SKIN_WARP_INL_H_
#else
#define LIMBER_SKIN_WARP_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace limber {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct Vector3 {
  V x, y, z;
};

template <class V>
HWY_INLINE Vector3<V> cross(const Vector3<V>& a, const Vector3<V>& b) {
  return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
          hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}

/// v + a·t + b·(w×t), with t = w×v.
template <class V>
HWY_INLINE Vector3<V> turned(const Vector3<V>& v, const Vector3<V>& w, V a, V b) {
  const Vector3<V> t = cross(w, v);
  const Vector3<V> tt = cross(w, t);
  return {hn::MulAdd(b, tt.x, hn::MulAdd(a, t.x, v.x)),
          hn::MulAdd(b, tt.y, hn::MulAdd(a, t.y, v.y)),
          hn::MulAdd(b, tt.z, hn::MulAdd(a, t.z, v.z))};
}

/// Minimax polynomials for x = θ² in [0, 4π²], relative error 5e-8 with these coefficients:
/// sin(θ/2)/(θ/2) = (1 − x/4π²) p(x), cos(θ/2) = (1 − x/π²) r(x).
template <class D, class V = hn::Vec<D>>
HWY_INLINE void half_angle(D d, V x, V& S, V& C) {
  const auto k = [d](float value) { return hn::Set(d, value); };
  V p = hn::MulAdd(x, k(-1.27928324e-12f), k(8.98833675e-10f));
  V r = hn::MulAdd(x, k(-4.19521267e-12f), k(2.57299575e-9f));
  p = hn::MulAdd(x, p, k(-3.88966277e-7f));
  r = hn::MulAdd(x, r, k(-9.297437e-7f));
  p = hn::MulAdd(x, p, k(1.07026653e-4f));
  r = hn::MulAdd(x, r, k(2.04994456e-4f));
  p = hn::MulAdd(x, p, k(-1.63363661e-2f));
  r = hn::MulAdd(x, r, k(-2.36787962e-2f));
  const V one = k(1.0f);
  S = hn::Mul(hn::NegMulAdd(x, k(0.0253302959f), one), hn::MulAdd(x, p, one));
  C = hn::Mul(hn::NegMulAdd(x, k(0.101321184f), one), hn::MulAdd(x, r, one));
}

/// The rotation w of N vertices, ready to be applied.
template <class D>
class Rotation {
  using V = hn::Vec<D>;

 public:
  HWY_INLINE Rotation(D d, const Vector3<V>& w) : w_(w) {
    const V x = hn::MulAdd(w.z, w.z, hn::MulAdd(w.y, w.y, hn::Mul(w.x, w.x)));
    const hn::Mask<D> far = hn::Gt(x, hn::Set(d, kPolynomialLimit));
    V C;
    if (HWY_LIKELY(hn::AllFalse(d, far))) {
      half_angle(d, x, S_, C);
    } else {
      // Beyond one turn: R has period 2π in θ, so use the angle r nearest to zero; then
      // sin(θ/2)/(θ/2) becomes (r/θ) sin(r/2)/(r/2) up to a sign that it shares with C.
      const V angle = hn::Sqrt(x);
      const V r = nearest_to_zero(d, angle);
      half_angle(d, hn::IfThenElse(far, hn::Mul(r, r), x), S_, C);
      S_ = hn::IfThenElse(far, hn::Mul(S_, hn::Div(r, angle)), S_);
    }
    s_ = hn::Mul(S_, C);
    c_ = hn::Mul(hn::Mul(S_, hn::Set(d, 0.5f)), S_);
    // 1 − s loses all its digits near zero, where e multiplies something of the size θ²: harmless.
    e_ = hn::Div(hn::Sub(hn::Set(d, 1.0f), s_), hn::Max(x, hn::Set(d, kSmallest)));
  }

  /// R(w) v.
  HWY_INLINE Vector3<V> rotate(const Vector3<V>& v) const { return turned(v, w_, s_, c_); }
  /// R~(w) v.
  HWY_INLINE Vector3<V> warp(const Vector3<V>& v) const { return turned(v, w_, c_, e_); }

 private:
  static constexpr float kPolynomialLimit = 39.4784176f;  // (2π)²
  static constexpr float kSmallest = 1e-30f;              // avoids 0/0; its square root is no angle

  /// θ − 2πk in [−π, π]; 2π in two parts, the first exact in k·6.28125 up to k = 2¹⁶.
  static HWY_INLINE V nearest_to_zero(D d, V angle) {
    const V k = hn::Round(hn::Mul(angle, hn::Set(d, 0.159154943f)));
    return hn::NegMulAdd(k, hn::Set(d, 1.93530718e-3f),
                         hn::NegMulAdd(k, hn::Set(d, 6.28125f), angle));
  }

  Vector3<V> w_;
  V S_, s_, c_, e_;
};

}  // namespace HWY_NAMESPACE
}  // namespace limber
HWY_AFTER_NAMESPACE();

#endif
