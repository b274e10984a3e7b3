#include "limber/dynamics/modal/mass_samples_kernel.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/dynamics/modal/mass_samples_kernel.cpp"
// The order of these two matters.
#include <hwy/foreach_target.h>

#include "limber/dynamics/modal/sample_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

using kernels::SampleField;
using kernels::SampleSums;
using kernels::SampleTables;
struct Motion {
  V3 u, w;
};

/// Φx and Ψx of the samples from lane c on.
HWY_INLINE Motion combine(const SampleTables& t, std::size_t c, const float* x) {
  const Lanes d;
  const auto stride = static_cast<std::size_t>(t.lanes);
  Motion motion{none(), none()};
  const float* rows = t.shapes + c;
  for (int j = 0; j < t.modes; ++j, rows += 6 * stride) {
    const V xj = hn::Set(d, x[j]);
    motion.u = add_times(motion.u, xj, load(rows, stride));
    motion.w = add_times(motion.w, xj, load(rows + 3 * stride, stride));
  }
  return motion;
}

/// How far nodes have gone, and what that is made of.
struct Warped {
  Motion at;
  Coefficients k;
  V3 c, cc;       // w×u, w×(w×u)
  V3 kappa, way;  // κ and d

  HWY_INLINE explicit Warped(const Motion& motion) : at(motion), k(dot(at.w, at.w)) {
    const Lanes d;
    c = cross(at.w, at.u);
    cc = cross(at.w, c);
    kappa = add_times(times(k.p, c), k.g, cc);
    way = plus(at.u, add_times(kappa, hn::Set(d, 0.5F), c));
  }

  /// κ̇ and ḋ.
  HWY_INLINE void rates(const Motion& rate, V3& kappa_rate, V3& way_rate) const {
    const Lanes d;
    const V3 dc = plus(cross(at.w, rate.u), cross(rate.w, at.u));
    const V3 dcc = plus(cross(rate.w, c), cross(at.w, dc));
    const V dt = hn::Mul(hn::Set(d, 2.0F), dot(at.w, rate.w));
    kappa_rate = add_times(times(k.p, dc), k.g, dcc);
    kappa_rate = add_times(kappa_rate, hn::Mul(dt, k.dp), c);
    kappa_rate = add_times(kappa_rate, hn::Mul(dt, k.dg), cc);
    way_rate = plus(rate.u, add_times(kappa_rate, hn::Set(d, 0.5F), dc));
  }
};

void sum_centre_lanes(const SampleTables& t, const float* q, float* centre) {
  const Lanes d;
  V3 sum = none();
  for (std::size_t c = 0; c < static_cast<std::size_t>(t.lanes); c += hn::Lanes(d)) {
    const Warped warped(combine(t, c, q));
    sum = add_times(sum, hn::LoadU(d, t.centre_masses + c), warped.kappa);
  }
  reduce(sum, centre);
}

void sum_all_lanes(const SampleTables& t, const float* q, const float* v, SampleSums& sums) {
  const Lanes d;
  const auto stride = static_cast<std::size_t>(t.lanes);
  V3 centre = none(), rate = none(), spin = none(), squares = none(), products = none();
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    const Warped warped(combine(t, c, q));
    V3 kappa_rate, way_rate;
    warped.rates(combine(t, c, v), kappa_rate, way_rate);
    const V mu = hn::LoadU(d, t.centre_masses + c);
    centre = add_times(centre, mu, warped.kappa);
    rate = add_times(rate, mu, kappa_rate);
    const V nu = hn::LoadU(d, t.moment_masses + c);
    const V3 arm = load(t.arms + c, stride);
    const V3 y = plus(arm, warped.way);
    spin = add_times(spin, nu, cross(y, way_rate));
    // yyᵀ − YYᵀ = d yᵀ + Y dᵀ, made symmetric: nothing cancels.
    const V3& w = warped.way;
    const V3 sum = plus(y, arm);
    const auto half = hn::Set(d, 0.5F);
    squares =
        add_times(squares, nu, {hn::Mul(w.x, sum.x), hn::Mul(w.y, sum.y), hn::Mul(w.z, sum.z)});
    const auto product = [&](V a, V b, V sum_a, V sum_b) HWY_ATTR {
      return hn::Mul(half, hn::MulAdd(a, sum_b, hn::Mul(b, sum_a)));
    };
    products = add_times(products, nu,
                         {product(w.x, w.y, sum.x, sum.y), product(w.x, w.z, sum.x, sum.z),
                          product(w.y, w.z, sum.y, sum.z)});
  }
  reduce(centre, sums.centre);
  reduce(rate, sums.centre_rate);
  reduce(spin, sums.spin);
  reduce(squares, sums.moments);
  reduce(products, sums.moments + 3);
}

HWY_INLINE V3 field_force(const SampleField& field, V nu, const V3& y, const V3& rate) {
  const Lanes d;
  const auto row = [&](int k) HWY_ATTR { return dot(constant(field.gradient + 3 * k), y); };
  const V3 turned = cross(constant(field.spin), rate);
  const auto two = hn::Set(d, 2.0F);
  return times(hn::Neg(nu), add_times({row(0), row(1), row(2)}, two, turned));
}

/// (∂κ/∂q)ᵀ F₁ + (∂d/∂q)ᵀ F₂ with F = F₁ + F₂: on u
///   F₂ − ½ w×F₂ − p w×F + g w×(w×F),
/// on w
///   ½ u×F₂ + p u×F + g (u (w·F) + F (w·u) − 2 w (u·F)) + 2 w (p' (w×u)·F + g' (w×(w×u))·F).
HWY_INLINE void pull_back(const Warped& at, const V3& F1, const V3& F2, V3& on_u, V3& on_w) {
  const Lanes d;
  const auto half = hn::Set(d, 0.5F);
  const auto two = hn::Set(d, 2.0F);
  const V3& w = at.at.w;
  const V3& u = at.at.u;
  const V3 F = plus(F1, F2);
  const V3 wF = cross(w, F);
  on_u = add_times(F2, hn::Neg(half), cross(w, F2));
  on_u = add_times(on_u, hn::Neg(at.k.p), wF);
  on_u = add_times(on_u, at.k.g, cross(w, wF));
  const V uF = dot(u, F);
  const V slope = hn::MulAdd(at.k.dp, dot(at.c, F), hn::Mul(at.k.dg, dot(at.cc, F)));
  on_w = times(half, cross(u, F2));
  on_w = add_times(on_w, at.k.p, cross(u, F));
  on_w = add_times(on_w, hn::Mul(at.k.g, dot(w, F)), u);
  on_w = add_times(on_w, hn::Mul(at.k.g, dot(w, u)), F);
  on_w = add_times(on_w, hn::Mul(two, hn::NegMulAdd(at.k.g, uF, slope)), w);
}

void sum_force_lanes(const SampleTables& t, const SampleField& field, const float* q,
                     const float* v, float* scratch, float* f) {
  const Lanes d;
  const auto stride = static_cast<std::size_t>(t.lanes);
  for (std::size_t c = 0; c < stride; c += hn::Lanes(d)) {
    const Warped warped(combine(t, c, q));
    const V3 F1 = times(hn::LoadU(d, t.centre_masses + c), constant(field.a));
    V3 F2 = none();
    if (field.turning) {
      V3 kappa_rate, way_rate;
      warped.rates(combine(t, c, v), kappa_rate, way_rate);
      const V3 y = plus(load(t.arms + c, stride), warped.way);
      F2 = field_force(field, hn::LoadU(d, t.moment_masses + c), y, way_rate);
    }
    V3 on_u, on_w;
    pull_back(warped, F1, F2, on_u, on_w);
    store(on_u, scratch + c, stride);
    store(on_w, scratch + 3 * stride + c, stride);
  }
  dot_with_modes(t.shapes, t.modes, 6 * stride, scratch, f);
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(sum_centre_lanes);
HWY_EXPORT(sum_all_lanes);
HWY_EXPORT(sum_force_lanes);

void kernels::sum_centre(const SampleTables& tables, const float* q, float* centre) {
  HWY_DYNAMIC_DISPATCH(sum_centre_lanes)(tables, q, centre);
}
void kernels::sum_samples(const SampleTables& tables, const float* q, const float* v,
                          SampleSums& sums) {
  HWY_DYNAMIC_DISPATCH(sum_all_lanes)(tables, q, v, sums);
}
void kernels::sum_forces(const SampleTables& tables, const SampleField& field, const float* q,
                         const float* v, float* scratch, float* f) {
  HWY_DYNAMIC_DISPATCH(sum_force_lanes)(tables, field, q, v, scratch, f);
}

}  // namespace limber
#endif
