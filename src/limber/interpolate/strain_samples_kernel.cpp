#include "limber/interpolate/strain_samples_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/interpolate/strain_samples_kernel.cpp"
// The order of these two matters.
#include <hwy/foreach_target.h>

#include "limber/dynamics/modal/sample_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

using kernels::StrainTables;

/// κ = A w×p + B w×(w×p) + ½ w×(w×s) with p = d + s, A = sin θ/θ − 1, B = (1−cos θ)/θ² − ½.
struct StrainSample {
  V3 s, w, p;
  Coefficients k;
  V A, slope_A;  // and its derivative by θ²
  V3 c, cc;      // w×p, w×(w×p)

  HWY_INLINE StrainSample(const V3& stretch, const V3& turn, const V3& arm)
      : s(stretch), w(turn), p(plus(arm, stretch)), k(dot(turn, turn)) {
    const V t = dot(w, w);
    A = hn::Neg(hn::Mul(t, k.g));
    slope_A = hn::Neg(hn::MulAdd(t, k.dg, k.g));
    c = cross(w, p);
    cc = cross(w, c);
  }

  [[nodiscard]] HWY_INLINE V3 kappa() const {
    const Lanes d;
    V3 sum = add_times(times(A, c), k.p, cc);
    return add_times(sum, hn::Set(d, 0.5F), cross(w, cross(w, s)));
  }

  /// ∂(a·w×(w×u))/∂w = u (w·a) + a (w·u) − 2 w (u·a).
  [[nodiscard]] HWY_INLINE V3 twice_turned(const V3& a, const V3& u) const {
    const Lanes d;
    V3 sum = times(dot(w, a), u);
    sum = add_times(sum, dot(w, u), a);
    return add_times(sum, hn::Mul(hn::Set(d, -2.0F), dot(u, a)), w);
  }

  HWY_INLINE void pull_back(const V3& a, V3& on_s, V3& on_w) const {
    const Lanes d;
    const V half = hn::Set(d, 0.5F);
    const V3 wa = cross(w, a);
    const V3 wwa = cross(w, wa);
    on_s = add_times(times(hn::Neg(A), wa), hn::Add(k.p, half), wwa);
    on_w = times(A, cross(p, a));
    on_w = add_times(on_w, k.p, twice_turned(a, p));
    on_w = add_times(on_w, half, twice_turned(a, s));
    const V slope = hn::MulAdd(slope_A, dot(a, c), hn::Mul(k.dp, dot(a, cc)));
    on_w = add_times(on_w, hn::Mul(hn::Set(d, 2.0F), slope), w);
  }
};

HWY_INLINE StrainSample strain_sample(const StrainTables& t, std::size_t c, const float* q) {
  const Lanes d;
  const auto stride = static_cast<std::size_t>(t.lanes);
  V3 s = none(), w = none();
  const float* rows = t.shapes + c;
  for (int j = 0; j < t.modes; ++j, rows += 6 * stride) {
    const V qj = hn::Set(d, q[j]);
    s = add_times(s, qj, load(rows, stride));
    w = add_times(w, qj, load(rows + 3 * stride, stride));
  }
  return {s, w, load(t.arms + c, stride)};
}

void sum_strain_shift_lanes(const StrainTables& t, const float* q, float* shift) {
  const Lanes d;
  V3 sum = none();
  for (std::size_t c = 0; c < static_cast<std::size_t>(t.lanes); c += hn::Lanes(d)) {
    sum = plus(sum, strain_sample(t, c, q).kappa());
  }
  reduce(sum, shift);
}

void sum_strain_force_lanes(const StrainTables& t, const float* a, const float* q, float* scratch,
                            float* f) {
  const Lanes d;
  const auto stride = static_cast<std::size_t>(t.lanes);
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    V3 on_s, on_w;
    strain_sample(t, c, q).pull_back(constant(a), on_s, on_w);
    store(on_s, scratch + c, stride);
    store(on_w, scratch + 3 * stride + c, stride);
  }
  dot_with_modes(t.shapes, t.modes, 6 * stride, scratch, f);
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(sum_strain_shift_lanes);
HWY_EXPORT(sum_strain_force_lanes);

void kernels::sum_strain_shift(const StrainTables& tables, const float* q, float* shift) {
  HWY_DYNAMIC_DISPATCH(sum_strain_shift_lanes)(tables, q, shift);
}
void kernels::sum_strain_forces(const StrainTables& tables, const float* a, const float* q,
                                float* scratch, float* f) {
  HWY_DYNAMIC_DISPATCH(sum_strain_force_lanes)(tables, a, q, scratch, f);
}

}  // namespace limber
#endif
