#include "limber/dynamics/modal/cubature_kernel.h"

#include <cstddef>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/dynamics/modal/cubature_kernel.cpp"
// The order of these three matters.
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using kernels::CubatureTables;

/// Σ_k (−t)^k / (2k + first)!, seven terms: for t ≤ π² the first one left out is below 5e-7.
template <class Lanes>
HWY_INLINE hn::Vec<Lanes> short_series(Lanes d, hn::Vec<Lanes> t, int first) {
  float coefficients[7];
  double factorial = 1;
  for (int i = 2; i <= first; ++i) factorial *= i;
  for (int k = 0; k < 7; ++k) {
    coefficients[k] = static_cast<float>((k % 2 == 0 ? 1 : -1) / factorial);
    factorial *= (2 * k + first + 1) * (2 * k + first + 2);
  }
  auto sum = hn::Set(d, coefficients[6]);
  for (int k = 5; k >= 0; --k) sum = hn::MulAdd(sum, t, hn::Set(d, coefficients[k]));
  return sum;
}

/// ρ(w) a = f w×a + g w×(w×a), f = 1 − sin θ/θ, g = (1−cos θ)/θ²; r holds w and becomes ρ(w) a.
template <class Lanes>
HWY_INLINE void turn_rest(Lanes d, std::size_t lanes, const double* a, float* r) {
  const auto wx = hn::LoadU(d, r);
  const auto wy = hn::LoadU(d, r + lanes);
  const auto wz = hn::LoadU(d, r + 2 * lanes);
  const auto squared = hn::MulAdd(wx, wx, hn::MulAdd(wy, wy, hn::Mul(wz, wz)));
  auto f = hn::Mul(squared, short_series(d, squared, 3));
  auto g = short_series(d, squared, 2);
  constexpr float kHalfTurnSquared = 9.8696044F;
  const auto far = hn::Gt(squared, hn::Set(d, kHalfTurnSquared));
  if (HWY_UNLIKELY(!hn::AllFalse(d, far))) {
    const auto half = hn::Set(d, 0.5F);
    const auto half_angle = hn::Mul(half, hn::Sqrt(squared));
    const auto s = hn::Div(hn::Sin(d, half_angle), half_angle);
    f = hn::IfThenElse(far, hn::NegMulAdd(s, hn::Cos(d, half_angle), hn::Set(d, 1.0F)), f);
    g = hn::IfThenElse(far, hn::Mul(half, hn::Mul(s, s)), g);
  }
  const auto ax = hn::Set(d, static_cast<float>(a[0]));
  const auto ay = hn::Set(d, static_cast<float>(a[1]));
  const auto az = hn::Set(d, static_cast<float>(a[2]));
  const auto cx = hn::NegMulAdd(wz, ay, hn::Mul(wy, az));
  const auto cy = hn::NegMulAdd(wx, az, hn::Mul(wz, ax));
  const auto cz = hn::NegMulAdd(wy, ax, hn::Mul(wx, ay));
  const auto ccx = hn::NegMulAdd(wz, cy, hn::Mul(wy, cz));
  const auto ccy = hn::NegMulAdd(wx, cz, hn::Mul(wz, cx));
  const auto ccz = hn::NegMulAdd(wy, cx, hn::Mul(wx, cy));
  hn::StoreU(hn::MulAdd(f, cx, hn::Mul(g, ccx)), d, r);
  hn::StoreU(hn::MulAdd(f, cy, hn::Mul(g, ccy)), d, r + lanes);
  hn::StoreU(hn::MulAdd(f, cz, hn::Mul(g, ccz)), d, r + 2 * lanes);
}

/// w = Ψ q at one vector of nodes, odd and even modes in sums of their own.
template <class Lanes>
HWY_INLINE void fill_rotations(Lanes d, const CubatureTables& t, const float* Psi, const float* q,
                               float* w) {
  const std::size_t lanes = t.lanes;
  const std::size_t nodes = t.nodes;
  auto x0 = hn::Zero(d), y0 = hn::Zero(d), z0 = hn::Zero(d);
  auto x1 = hn::Zero(d), y1 = hn::Zero(d), z1 = hn::Zero(d);
  for (int j = 0; j < t.modes; j += 2, Psi += 6 * nodes) {
    const auto q0 = hn::Set(d, q[j]);
    const auto q1 = hn::Set(d, q[j + 1]);
    x0 = hn::MulAdd(hn::LoadU(d, Psi), q0, x0);
    y0 = hn::MulAdd(hn::LoadU(d, Psi + nodes), q0, y0);
    z0 = hn::MulAdd(hn::LoadU(d, Psi + 2 * nodes), q0, z0);
    x1 = hn::MulAdd(hn::LoadU(d, Psi + 3 * nodes), q1, x1);
    y1 = hn::MulAdd(hn::LoadU(d, Psi + 4 * nodes), q1, y1);
    z1 = hn::MulAdd(hn::LoadU(d, Psi + 5 * nodes), q1, z1);
  }
  hn::StoreU(hn::Add(x0, x1), d, w);
  hn::StoreU(hn::Add(y0, y1), d, w + lanes);
  hn::StoreU(hn::Add(z0, z1), d, w + 2 * lanes);
}

/// r = q_j a and, in the last place, a itself: what the linear part is made of.
template <class Lanes>
HWY_INLINE void fill_linear(Lanes d, std::size_t lanes, const float* q, const double* a, float* r) {
  for (int k = 0; k < 3; ++k) {
    hn::StoreU(hn::Mul(hn::LoadU(d, q), hn::Set(d, static_cast<float>(a[k]))), d, r + k * lanes);
  }
}

/// Σ_c G_c r_c for two modes that lie one behind the other: r is loaded once for both.
template <class Lanes>
HWY_INLINE std::pair<float, float> output_pair(Lanes d, std::size_t lanes, const float* G,
                                               const float* r) {
  const float* H = G + 3 * lanes;
  auto gx = hn::Zero(d), gy = hn::Zero(d), gz = hn::Zero(d);
  auto hx = hn::Zero(d), hy = hn::Zero(d), hz = hn::Zero(d);
  for (std::size_t c = 0; c < lanes; c += hn::Lanes(d)) {
    const auto rx = hn::LoadU(d, r + c);
    const auto ry = hn::LoadU(d, r + lanes + c);
    const auto rz = hn::LoadU(d, r + 2 * lanes + c);
    gx = hn::MulAdd(hn::LoadU(d, G + c), rx, gx);
    gy = hn::MulAdd(hn::LoadU(d, G + lanes + c), ry, gy);
    gz = hn::MulAdd(hn::LoadU(d, G + 2 * lanes + c), rz, gz);
    hx = hn::MulAdd(hn::LoadU(d, H + c), rx, hx);
    hy = hn::MulAdd(hn::LoadU(d, H + lanes + c), ry, hy);
    hz = hn::MulAdd(hn::LoadU(d, H + 2 * lanes + c), rz, hz);
  }
  return {hn::GetLane(hn::SumOfLanes(d, hn::Add(gx, hn::Add(gy, gz)))),
          hn::GetLane(hn::SumOfLanes(d, hn::Add(hx, hn::Add(hy, hz))))};
}

void add_cubature(const CubatureTables& t, const double* a, const double* q, double* f) {
  const hn::ScalableTag<float> d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t lanes = t.lanes;
  const std::size_t nodes = t.nodes;
  float* const r = t.scratch;
  float* const state = t.scratch + 3 * lanes;  // q, then one, then zeros
  for (int j = 0; j < t.modes; ++j) state[j] = static_cast<float>(q[j]);
  for (std::size_t c = 0; c < nodes; c += width) fill_rotations(d, t, t.Psi + c, state, r + c);
  for (std::size_t c = 0; c < nodes; c += width) turn_rest(d, lanes, a, r + c);
  for (std::size_t c = nodes; c < lanes; c += width) {
    fill_linear(d, lanes, state + (c - nodes), a, r + c);
  }
  for (int j = 0; j < t.modes; j += 2) {
    const auto [first, second] = output_pair(d, lanes, t.outputs + 3 * lanes * j, r);
    f[j] += first;
    if (j + 1 < t.modes) f[j + 1] += second;
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(add_cubature);

void kernels::add_cubature(const CubatureTables& tables, const double* a, const double* q,
                           double* f) {
  HWY_DYNAMIC_DISPATCH(add_cubature)(tables, a, q, f);
}

}  // namespace limber
#endif
