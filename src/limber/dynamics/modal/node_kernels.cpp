#include "limber/dynamics/modal/node_kernels.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/dynamics/modal/node_kernels.cpp"
// The order of these three matters.
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// y[0..2] += the three rows of a node times x, from column j on; what is left over is masked off
/// or, where that might read beyond the end, goes to vectors of half the width.
template <class Lanes>
HWY_INLINE void add_node_product(Lanes d, const double* a, std::size_t columns, std::size_t modes,
                                 std::size_t j, const double* x, double* y) {
  const std::size_t width = hn::Lanes(d);
  auto sum0 = hn::Zero(d);
  auto sum1 = hn::Zero(d);
  auto sum2 = hn::Zero(d);
  for (; j + width <= modes; j += width) {
    const auto xj = hn::LoadU(d, x + j);
    sum0 = hn::MulAdd(hn::LoadU(d, a + j), xj, sum0);
    sum1 = hn::MulAdd(hn::LoadU(d, a + columns + j), xj, sum1);
    sum2 = hn::MulAdd(hn::LoadU(d, a + 2 * columns + j), xj, sum2);
  }
#if !HWY_MEM_OPS_MIGHT_FAULT
  if (j < modes) {
    const auto left = hn::FirstN(d, modes - j);
    const auto xj = hn::MaskedLoad(left, d, x + j);
    sum0 = hn::MulAdd(hn::MaskedLoad(left, d, a + j), xj, sum0);
    sum1 = hn::MulAdd(hn::MaskedLoad(left, d, a + columns + j), xj, sum1);
    sum2 = hn::MulAdd(hn::MaskedLoad(left, d, a + 2 * columns + j), xj, sum2);
    j = modes;
  }
#endif
  y[0] += hn::GetLane(hn::SumOfLanes(d, sum0));
  y[1] += hn::GetLane(hn::SumOfLanes(d, sum1));
  y[2] += hn::GetLane(hn::SumOfLanes(d, sum2));
  if constexpr (hn::MaxLanes(Lanes()) > 1) {
    if (j < modes) add_node_product(hn::Half<Lanes>(), a, columns, modes, j, x, y);
  }
}

std::size_t row_length(int modes, int columns) {
  return static_cast<std::size_t>(columns > 0 ? columns : modes);
}

void multiply(const double* A, int nodes, int modes, const double* x, double* y, int apart) {
  const hn::ScalableTag<double> d;
  const auto count = static_cast<std::size_t>(modes);
  const std::size_t columns = row_length(modes, apart);
  for (int i = 0; i < nodes; ++i, A += 3 * columns, y += 3) {
    y[0] = y[1] = y[2] = 0;
    add_node_product(d, A, columns, count, 0, x, y);
  }
}

void multiply_at(const double* A, const std::int32_t* nodes, int count, int modes, const double* x,
                 double* y, int apart) {
  const hn::ScalableTag<double> d;
  const std::size_t columns = row_length(modes, apart);
  for (int i = 0; i < count; ++i, y += 3) {
    y[0] = y[1] = y[2] = 0;
    add_node_product(d, A + 3 * columns * static_cast<std::size_t>(nodes[i]), columns,
                     static_cast<std::size_t>(modes), 0, x, y);
  }
}

/// x += the three rows of a node, turned over, times y[0..2], from column j on.
template <class Lanes>
HWY_INLINE void add_node_transposed(Lanes d, const double* a, std::size_t columns,
                                    std::size_t modes, std::size_t j, const double* y, double* x) {
  const auto y0 = hn::Set(d, y[0]);
  const auto y1 = hn::Set(d, y[1]);
  const auto y2 = hn::Set(d, y[2]);
  const std::size_t width = hn::Lanes(d);
  for (; j + width <= modes; j += width) {
    auto sum = hn::LoadU(d, x + j);
    sum = hn::MulAdd(hn::LoadU(d, a + j), y0, sum);
    sum = hn::MulAdd(hn::LoadU(d, a + columns + j), y1, sum);
    sum = hn::MulAdd(hn::LoadU(d, a + 2 * columns + j), y2, sum);
    hn::StoreU(sum, d, x + j);
  }
  if constexpr (hn::MaxLanes(Lanes()) > 1) {
    if (j < modes) add_node_transposed(hn::Half<Lanes>(), a, columns, modes, j, y, x);
  }
}

void add_transposed(const double* A, int nodes, int modes, const double* y, double* x, int apart) {
  const hn::ScalableTag<double> d;
  const auto count = static_cast<std::size_t>(modes);
  const std::size_t columns = row_length(modes, apart);
  for (int i = 0; i < nodes; ++i, A += 3 * columns, y += 3) {
    add_node_transposed(d, A, columns, count, 0, y, x);
  }
}

/// The same for three vectors y, each of all nodes, one after another; sums stay in registers.
template <class Lanes>
HWY_INLINE void add_three_transposed(Lanes d, const double* a, std::size_t nodes,
                                     std::size_t columns, std::size_t modes, std::size_t j,
                                     const double* y, double* x, std::size_t stride) {
  const std::size_t width = hn::Lanes(d);
  const double* const y1 = y + 3 * nodes;
  const double* const y2 = y1 + 3 * nodes;
  for (; j + width <= modes; j += width) {
    auto sum0 = hn::LoadU(d, x + j);
    auto sum1 = hn::LoadU(d, x + stride + j);
    auto sum2 = hn::LoadU(d, x + 2 * stride + j);
    for (std::size_t i = 0; i < 3 * nodes; ++i) {
      const auto row = hn::LoadU(d, a + i * columns + j);
      sum0 = hn::MulAdd(row, hn::Set(d, y[i]), sum0);
      sum1 = hn::MulAdd(row, hn::Set(d, y1[i]), sum1);
      sum2 = hn::MulAdd(row, hn::Set(d, y2[i]), sum2);
    }
    hn::StoreU(sum0, d, x + j);
    hn::StoreU(sum1, d, x + stride + j);
    hn::StoreU(sum2, d, x + 2 * stride + j);
  }
  if constexpr (hn::MaxLanes(Lanes()) > 1) {
    if (j < modes)
      add_three_transposed(hn::Half<Lanes>(), a, nodes, columns, modes, j, y, x, stride);
  }
}

void add_transposed_three(const double* A, int nodes, int modes, const double* y, double* x,
                          std::ptrdiff_t stride, int apart) {
  add_three_transposed(hn::ScalableTag<double>(), A, static_cast<std::size_t>(nodes),
                       row_length(modes, apart), static_cast<std::size_t>(modes), 0, y, x,
                       static_cast<std::size_t>(stride));
}

enum class Turn { forth, back, mean, mean_back };

/// u + f w×u + g w×(w×u) with Rodrigues' coefficients f = sin θ/θ, g = (1−cos θ)/θ², or for the
/// mean f = (1−cos θ)/θ², g = (θ−sin θ)/θ³. Written with half the angle, s = sin(θ/2)/(θ/2), so
/// that only the last cancels near zero: by eps/θ², which its factor w×(w×u) makes good again.
template <Turn kTurn, class Lanes>
HWY_INLINE void turn_lanes(Lanes d, const double* w, const double* u, double* out) {
  hn::Vec<Lanes> wx, wy, wz, ux, uy, uz;
  hn::LoadInterleaved3(d, w, wx, wy, wz);
  hn::LoadInterleaved3(d, u, ux, uy, uz);
  const auto half = hn::Set(d, 0.5);
  const auto one = hn::Set(d, 1.0);
  const auto squared = hn::MulAdd(wx, wx, hn::MulAdd(wy, wy, hn::Mul(wz, wz)));
  const auto half_angle = hn::Mul(half, hn::Sqrt(squared));
  const auto at_rest = hn::Lt(squared, hn::Set(d, 1e-30));  // 1 − θ²/24 rounds to one below 1e-8
  const auto s = hn::IfThenElse(
      at_rest, one, hn::Div(hn::Sin(d, half_angle), hn::IfThenElse(at_rest, one, half_angle)));
  const auto sine = hn::Mul(s, hn::Cos(d, half_angle));
  const auto versine = hn::Mul(half, hn::Mul(s, s));
  auto f = sine;
  auto g = versine;
  if constexpr (kTurn == Turn::mean || kTurn == Turn::mean_back) {
    f = versine;
    g = hn::IfThenElse(at_rest, hn::Set(d, 1.0 / 6),
                       hn::Div(hn::Sub(one, sine), hn::IfThenElse(at_rest, one, squared)));
  }
  if constexpr (kTurn == Turn::back || kTurn == Turn::mean_back) f = hn::Neg(f);
  const auto cx = hn::NegMulAdd(wz, uy, hn::Mul(wy, uz));
  const auto cy = hn::NegMulAdd(wx, uz, hn::Mul(wz, ux));
  const auto cz = hn::NegMulAdd(wy, ux, hn::Mul(wx, uy));
  const auto ccx = hn::NegMulAdd(wz, cy, hn::Mul(wy, cz));
  const auto ccy = hn::NegMulAdd(wx, cz, hn::Mul(wz, cx));
  const auto ccz = hn::NegMulAdd(wy, cx, hn::Mul(wx, cy));
  ux = hn::MulAdd(g, ccx, hn::MulAdd(f, cx, ux));
  uy = hn::MulAdd(g, ccy, hn::MulAdd(f, cy, uy));
  uz = hn::MulAdd(g, ccz, hn::MulAdd(f, cz, uz));
  hn::StoreInterleaved3(ux, uy, uz, d, out);
}

template <Turn kTurn>
void turn_nodes(const double* w, const double* u, int nodes, double* out) {
  const hn::ScalableTag<double> d;
  const std::size_t width = hn::Lanes(d);
  std::size_t left = static_cast<std::size_t>(nodes);
  for (; left >= width; left -= width, w += 3 * width, u += 3 * width, out += 3 * width) {
    turn_lanes<kTurn>(d, w, u, out);
  }
  if (left == 0) return;
  double rest_w[3 * hn::MaxLanes(hn::ScalableTag<double>())] = {};
  double rest_u[3 * hn::MaxLanes(hn::ScalableTag<double>())] = {};
  for (std::size_t k = 0; k < 3 * left; ++k) rest_w[k] = w[k];
  for (std::size_t k = 0; k < 3 * left; ++k) rest_u[k] = u[k];
  turn_lanes<kTurn>(d, rest_w, rest_u, rest_u);
  for (std::size_t k = 0; k < 3 * left; ++k) out[k] = rest_u[k];
}

void turn(const double* w, const double* u, int nodes, double* out) {
  turn_nodes<Turn::forth>(w, u, nodes, out);
}
void turn_back(const double* w, const double* u, int nodes, double* out) {
  turn_nodes<Turn::back>(w, u, nodes, out);
}
void turn_mean(const double* w, const double* u, int nodes, double* out) {
  turn_nodes<Turn::mean>(w, u, nodes, out);
}
void turn_mean_back(const double* w, const double* u, int nodes, double* out) {
  turn_nodes<Turn::mean_back>(w, u, nodes, out);
}

/// Σ_k c_k (−t)^k by Horner's rule.
template <std::size_t kTerms, class Lanes, class Vector>
HWY_INLINE Vector alternating(Lanes d, Vector t, const double (&c)[kTerms]) {
  const auto minus_t = hn::Neg(t);
  auto sum = hn::Set(d, c[kTerms - 1]);
  for (std::size_t k = kTerms - 1; k-- > 0;) sum = hn::MulAdd(sum, minus_t, hn::Set(d, c[k]));
  return sum;
}

/// f = (1−cos θ)/θ², g = (θ−sin θ)/θ³ of the mean rotation and their derivatives by t = θ²: power
/// series below t = 1, where the closed forms cancel. Nine terms reach rounding there (1/20!).
template <class Lanes>
struct MeanCoefficients {
  hn::Vec<Lanes> f, g, df, dg;

  HWY_INLINE MeanCoefficients(Lanes d, hn::Vec<Lanes> t) {
    // 1/(2k+2)! and 1/(2k+3)!; derivatives by t: −(k+1)/(2k+4)! and −(k+1)/(2k+5)!.
    static constexpr double kF[] = {1.0 / 2,
                                    1.0 / 24,
                                    1.0 / 720,
                                    1.0 / 40320,
                                    1.0 / 3628800,
                                    1.0 / 479001600,
                                    1.0 / 87178291200.0,
                                    1.0 / 20922789888000.0,
                                    1.0 / 6402373705728000.0};
    static constexpr double kG[] = {1.0 / 6,
                                    1.0 / 120,
                                    1.0 / 5040,
                                    1.0 / 362880,
                                    1.0 / 39916800,
                                    1.0 / 6227020800.0,
                                    1.0 / 1307674368000.0,
                                    1.0 / 355687428096000.0,
                                    1.0 / 121645100408832000.0};
    static constexpr double kDf[] = {1.0 / 24,
                                     2.0 / 720,
                                     3.0 / 40320,
                                     4.0 / 3628800,
                                     5.0 / 479001600,
                                     6.0 / 87178291200.0,
                                     7.0 / 20922789888000.0,
                                     8.0 / 6402373705728000.0};
    static constexpr double kDg[] = {1.0 / 120,
                                     2.0 / 5040,
                                     3.0 / 362880,
                                     4.0 / 39916800,
                                     5.0 / 6227020800.0,
                                     6.0 / 1307674368000.0,
                                     7.0 / 355687428096000.0,
                                     8.0 / 121645100408832000.0};
    const auto one = hn::Set(d, 1.0);
    const auto two = hn::Set(d, 2.0);
    const auto small = hn::Lt(t, one);
    const auto safe = hn::IfThenElse(small, one, t);
    const auto inverse = hn::Div(one, safe);
    const auto angle = hn::Sqrt(safe);
    const auto a = hn::Div(hn::Sin(d, angle), angle);
    const auto cosine = hn::Cos(d, angle);
    const auto half_inverse = hn::Mul(hn::Set(d, 0.5), inverse);
    const auto far_f = hn::Mul(hn::Sub(one, cosine), inverse);
    const auto far_g = hn::Mul(hn::Sub(one, a), inverse);
    const auto da = hn::Mul(hn::Sub(cosine, a), half_inverse);
    f = hn::IfThenElse(small, alternating(d, t, kF), far_f);
    g = hn::IfThenElse(small, alternating(d, t, kG), far_g);
    df = hn::IfThenElse(small, hn::Neg(alternating(d, t, kDf)),
                        hn::Mul(hn::NegMulAdd(two, far_f, a), half_inverse));
    dg = hn::IfThenElse(small, hn::Neg(alternating(d, t, kDg)),
                        hn::Neg(hn::Mul(hn::Add(da, far_g), inverse)));
  }
};

/// x = (∂(R~(w)u)/∂w) x, or its transpose times x. With f, g as above,
///   D x  = f x×u + g (w (u·x) + x (w·u) − 2 u (w·x)) + 2 (f' w×u + g' w×(w×u)) (w·x),
///   Dᵀ x = f u×x + g (u (w·x) + x (w·u) − 2 w (u·x)) + 2 w (f' (w×u)·x + g' (w×(w×u))·x).
template <bool kTransposed, class Lanes>
HWY_INLINE void derivative_lanes(Lanes d, const double* w, const double* u, const double* in,
                                 double* out) {
  hn::Vec<Lanes> wx, wy, wz, ux, uy, uz, x, y, z;
  hn::LoadInterleaved3(d, w, wx, wy, wz);
  hn::LoadInterleaved3(d, u, ux, uy, uz);
  hn::LoadInterleaved3(d, in, x, y, z);
  const auto dot = [](auto ax, auto ay, auto az, auto bx, auto by, auto bz)
                       HWY_ATTR { return hn::MulAdd(ax, bx, hn::MulAdd(ay, by, hn::Mul(az, bz))); };
  const MeanCoefficients<Lanes> k(d, dot(wx, wy, wz, wx, wy, wz));
  const auto cx = hn::NegMulAdd(wz, uy, hn::Mul(wy, uz));
  const auto cy = hn::NegMulAdd(wx, uz, hn::Mul(wz, ux));
  const auto cz = hn::NegMulAdd(wy, ux, hn::Mul(wx, uy));
  const auto ccx = hn::NegMulAdd(wz, cy, hn::Mul(wy, cz));
  const auto ccy = hn::NegMulAdd(wx, cz, hn::Mul(wz, cx));
  const auto ccz = hn::NegMulAdd(wy, cx, hn::Mul(wx, cy));
  const auto wu = hn::Mul(k.g, dot(wx, wy, wz, ux, uy, uz));
  const auto wi = dot(wx, wy, wz, x, y, z);
  const auto ui = dot(ux, uy, uz, x, y, z);
  const auto two = hn::Set(d, 2.0);
  // The factors of w, u, u×x, w×u and w×(w×u).
  auto of_w = hn::Mul(k.g, ui);
  auto of_u = hn::Mul(hn::Neg(hn::Mul(two, k.g)), wi);
  auto of_cross = hn::Neg(k.f);
  const auto twice_wi = hn::Mul(two, wi);
  auto of_c = hn::Mul(k.df, twice_wi);
  auto of_cc = hn::Mul(k.dg, twice_wi);
  if constexpr (kTransposed) {
    const auto slope =
        hn::MulAdd(k.df, dot(cx, cy, cz, x, y, z), hn::Mul(k.dg, dot(ccx, ccy, ccz, x, y, z)));
    of_w = hn::Mul(two, hn::NegMulAdd(k.g, ui, slope));
    of_u = hn::Mul(k.g, wi);
    of_cross = k.f;
    of_c = of_cc = hn::Zero(d);
  }
  const auto ix = hn::NegMulAdd(uz, y, hn::Mul(uy, z));
  const auto iy = hn::NegMulAdd(ux, z, hn::Mul(uz, x));
  const auto iz = hn::NegMulAdd(uy, x, hn::Mul(ux, y));
  const auto sum = [&](auto in_, auto w_, auto u_, auto i_, auto c_, auto cc_) HWY_ATTR {
    auto total = hn::MulAdd(wu, in_, hn::MulAdd(of_w, w_, hn::Mul(of_u, u_)));
    total = hn::MulAdd(of_cross, i_, total);
    return hn::MulAdd(of_c, c_, hn::MulAdd(of_cc, cc_, total));
  };
  const auto rx = sum(x, wx, ux, ix, cx, ccx);
  const auto ry = sum(y, wy, uy, iy, cy, ccy);
  const auto rz = sum(z, wz, uz, iz, cz, ccz);
  hn::StoreInterleaved3(rx, ry, rz, d, out);
}

template <bool kTransposed>
void derivative_nodes(const double* w, const double* u, const double* in, int nodes, double* out) {
  const hn::ScalableTag<double> d;
  const std::size_t width = hn::Lanes(d);
  std::size_t left = static_cast<std::size_t>(nodes);
  for (; left >= width; left -= width) {
    derivative_lanes<kTransposed>(d, w, u, in, out);
    w += 3 * width;
    u += 3 * width;
    in += 3 * width;
    out += 3 * width;
  }
  if (left == 0) return;
  constexpr std::size_t kMost = 3 * hn::MaxLanes(hn::ScalableTag<double>());
  double rest_w[kMost] = {};
  double rest_u[kMost] = {};
  double rest_in[kMost] = {};
  for (std::size_t k = 0; k < 3 * left; ++k) {
    rest_w[k] = w[k];
    rest_u[k] = u[k];
    rest_in[k] = in[k];
  }
  derivative_lanes<kTransposed>(d, rest_w, rest_u, rest_in, rest_in);
  for (std::size_t k = 0; k < 3 * left; ++k) out[k] = rest_in[k];
}

void mean_rate(const double* w, const double* u, const double* rate, int nodes, double* out) {
  derivative_nodes<false>(w, u, rate, nodes, out);
}
void mean_gradient(const double* w, const double* u, const double* F, int nodes, double* out) {
  derivative_nodes<true>(w, u, F, nodes, out);
}

/// R~ᵀ F and Dᵀ F as above of three forces a node: the coefficients are found once.
template <class Lanes>
HWY_INLINE void work_lanes(Lanes d, const double* w, const double* u, const double* F,
                           std::size_t stride, double* turned, double* moments) {
  hn::Vec<Lanes> wx, wy, wz, ux, uy, uz;
  hn::LoadInterleaved3(d, w, wx, wy, wz);
  hn::LoadInterleaved3(d, u, ux, uy, uz);
  const auto dot = [](auto ax, auto ay, auto az, auto bx, auto by, auto bz)
                       HWY_ATTR { return hn::MulAdd(ax, bx, hn::MulAdd(ay, by, hn::Mul(az, bz))); };
  const MeanCoefficients<Lanes> k(d, dot(wx, wy, wz, wx, wy, wz));
  const auto cx = hn::NegMulAdd(wz, uy, hn::Mul(wy, uz));
  const auto cy = hn::NegMulAdd(wx, uz, hn::Mul(wz, ux));
  const auto cz = hn::NegMulAdd(wy, ux, hn::Mul(wx, uy));
  const auto ccx = hn::NegMulAdd(wz, cy, hn::Mul(wy, cz));
  const auto ccy = hn::NegMulAdd(wx, cz, hn::Mul(wz, cx));
  const auto ccz = hn::NegMulAdd(wy, cx, hn::Mul(wx, cy));
  const auto wu = hn::Mul(k.g, dot(wx, wy, wz, ux, uy, uz));
  const auto two = hn::Set(d, 2.0);
  for (int set = 0; set < 3; ++set, F += stride, turned += stride, moments += stride) {
    hn::Vec<Lanes> x, y, z;
    hn::LoadInterleaved3(d, F, x, y, z);
    const auto wi = dot(wx, wy, wz, x, y, z);
    const auto ui = dot(ux, uy, uz, x, y, z);
    const auto slope =
        hn::MulAdd(k.df, dot(cx, cy, cz, x, y, z), hn::Mul(k.dg, dot(ccx, ccy, ccz, x, y, z)));
    const auto of_w = hn::Mul(two, hn::NegMulAdd(k.g, ui, slope));
    const auto of_u = hn::Mul(k.g, wi);
    const auto moment = [&](auto in_, auto w_, auto u_, auto across) HWY_ATTR {
      return hn::MulAdd(k.f, across, hn::MulAdd(wu, in_, hn::MulAdd(of_w, w_, hn::Mul(of_u, u_))));
    };
    const auto mx = moment(x, wx, ux, hn::NegMulAdd(uz, y, hn::Mul(uy, z)));
    const auto my = moment(y, wy, uy, hn::NegMulAdd(ux, z, hn::Mul(uz, x)));
    const auto mz = moment(z, wz, uz, hn::NegMulAdd(uy, x, hn::Mul(ux, y)));
    hn::StoreInterleaved3(mx, my, mz, d, moments);
    const auto vx = hn::NegMulAdd(wz, y, hn::Mul(wy, z));
    const auto vy = hn::NegMulAdd(wx, z, hn::Mul(wz, x));
    const auto vz = hn::NegMulAdd(wy, x, hn::Mul(wx, y));
    const auto back = [&](auto in_, auto v_, auto vv_)
                          HWY_ATTR { return hn::MulAdd(k.g, vv_, hn::NegMulAdd(k.f, v_, in_)); };
    const auto bx = back(x, vx, hn::NegMulAdd(wz, vy, hn::Mul(wy, vz)));
    const auto by = back(y, vy, hn::NegMulAdd(wx, vz, hn::Mul(wz, vx)));
    const auto bz = back(z, vz, hn::NegMulAdd(wy, vx, hn::Mul(wx, vy)));
    hn::StoreInterleaved3(bx, by, bz, d, turned);
  }
}

void work_of_three(const double* w, const double* u, const double* F, int nodes, double* turned,
                   double* moments) {
  const hn::ScalableTag<double> d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t stride = 3 * static_cast<std::size_t>(nodes);
  std::size_t at = 0;
  for (; at + 3 * width <= stride; at += 3 * width)
    work_lanes(d, w + at, u + at, F + at, stride, turned + at, moments + at);
  if (at == stride) return;
  constexpr std::size_t kMost = 3 * hn::MaxLanes(hn::ScalableTag<double>());
  double rest_w[kMost] = {}, rest_u[kMost] = {}, rest_F[3 * kMost] = {};
  double rest_turned[3 * kMost], rest_moments[3 * kMost];
  for (std::size_t k = 0; at + k < stride; ++k) {
    rest_w[k] = w[at + k];
    rest_u[k] = u[at + k];
    for (std::size_t set = 0; set < 3; ++set) rest_F[set * kMost + k] = F[set * stride + at + k];
  }
  work_lanes(d, rest_w, rest_u, rest_F, kMost, rest_turned, rest_moments);
  for (std::size_t k = 0; at + k < stride; ++k) {
    for (std::size_t set = 0; set < 3; ++set) {
      turned[set * stride + at + k] = rest_turned[set * kMost + k];
      moments[set * stride + at + k] = rest_moments[set * kMost + k];
    }
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(multiply);
HWY_EXPORT(multiply_at);
HWY_EXPORT(add_transposed);
HWY_EXPORT(turn);
HWY_EXPORT(turn_back);
HWY_EXPORT(turn_mean);
HWY_EXPORT(turn_mean_back);
HWY_EXPORT(mean_rate);
HWY_EXPORT(mean_gradient);
HWY_EXPORT(add_transposed_three);
HWY_EXPORT(work_of_three);

namespace kernels {

void multiply(const double* A, int nodes, int modes, const double* x, double* y, int apart) {
  HWY_DYNAMIC_DISPATCH(multiply)(A, nodes, modes, x, y, apart);
}
void multiply_at(const double* A, const std::int32_t* nodes, int count, int modes, const double* x,
                 double* y, int apart) {
  HWY_DYNAMIC_DISPATCH(multiply_at)(A, nodes, count, modes, x, y, apart);
}
void add_transposed(const double* A, int nodes, int modes, const double* y, double* x, int apart) {
  HWY_DYNAMIC_DISPATCH(add_transposed)(A, nodes, modes, y, x, apart);
}
void turn(const double* w, const double* u, int nodes, double* out) {
  HWY_DYNAMIC_DISPATCH(turn)(w, u, nodes, out);
}
void turn_back(const double* w, const double* u, int nodes, double* out) {
  HWY_DYNAMIC_DISPATCH(turn_back)(w, u, nodes, out);
}
void turn_mean(const double* w, const double* u, int nodes, double* out) {
  HWY_DYNAMIC_DISPATCH(turn_mean)(w, u, nodes, out);
}
void turn_mean_back(const double* w, const double* u, int nodes, double* out) {
  HWY_DYNAMIC_DISPATCH(turn_mean_back)(w, u, nodes, out);
}

void mean_rate(const double* w, const double* u, const double* rate, int nodes, double* out) {
  HWY_DYNAMIC_DISPATCH(mean_rate)(w, u, rate, nodes, out);
}
void mean_gradient(const double* w, const double* u, const double* F, int nodes, double* out) {
  HWY_DYNAMIC_DISPATCH(mean_gradient)(w, u, F, nodes, out);
}
void add_transposed_three(const double* A, int nodes, int modes, const double* y, double* x,
                          std::ptrdiff_t stride, int apart) {
  HWY_DYNAMIC_DISPATCH(add_transposed_three)(A, nodes, modes, y, x, stride, apart);
}
void work_of_three(const double* w, const double* u, const double* F, int nodes, double* turned,
                   double* moments) {
  HWY_DYNAMIC_DISPATCH(work_of_three)(w, u, F, nodes, turned, moments);
}

}  // namespace kernels
}  // namespace limber
#endif
