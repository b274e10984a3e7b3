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

/// y[0..2] += the three rows of a node times x, from column j on; what is left over goes to
/// vectors of half the width.
template <class Lanes>
HWY_INLINE void add_node_product(Lanes d, const double* a, std::size_t modes, std::size_t j,
                                 const double* x, double* y) {
  const std::size_t width = hn::Lanes(d);
  if (j + width <= modes) {
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    auto sum2 = hn::Zero(d);
    for (; j + width <= modes; j += width) {
      const auto xj = hn::LoadU(d, x + j);
      sum0 = hn::MulAdd(hn::LoadU(d, a + j), xj, sum0);
      sum1 = hn::MulAdd(hn::LoadU(d, a + modes + j), xj, sum1);
      sum2 = hn::MulAdd(hn::LoadU(d, a + 2 * modes + j), xj, sum2);
    }
    y[0] += hn::GetLane(hn::SumOfLanes(d, sum0));
    y[1] += hn::GetLane(hn::SumOfLanes(d, sum1));
    y[2] += hn::GetLane(hn::SumOfLanes(d, sum2));
  }
  if constexpr (hn::MaxLanes(Lanes()) > 1) {
    if (j < modes) add_node_product(hn::Half<Lanes>(), a, modes, j, x, y);
  }
}

void multiply(const double* A, int nodes, int modes, const double* x, double* y) {
  const hn::ScalableTag<double> d;
  const auto columns = static_cast<std::size_t>(modes);
  for (int i = 0; i < nodes; ++i, A += 3 * columns, y += 3) {
    y[0] = y[1] = y[2] = 0;
    add_node_product(d, A, columns, 0, x, y);
  }
}

/// x += the three rows of a node, turned over, times y[0..2], from column j on.
template <class Lanes>
HWY_INLINE void add_node_transposed(Lanes d, const double* a, std::size_t modes, std::size_t j,
                                    const double* y, double* x) {
  const auto y0 = hn::Set(d, y[0]);
  const auto y1 = hn::Set(d, y[1]);
  const auto y2 = hn::Set(d, y[2]);
  const std::size_t width = hn::Lanes(d);
  for (; j + width <= modes; j += width) {
    auto sum = hn::LoadU(d, x + j);
    sum = hn::MulAdd(hn::LoadU(d, a + j), y0, sum);
    sum = hn::MulAdd(hn::LoadU(d, a + modes + j), y1, sum);
    sum = hn::MulAdd(hn::LoadU(d, a + 2 * modes + j), y2, sum);
    hn::StoreU(sum, d, x + j);
  }
  if constexpr (hn::MaxLanes(Lanes()) > 1) {
    if (j < modes) add_node_transposed(hn::Half<Lanes>(), a, modes, j, y, x);
  }
}

void add_transposed(const double* A, int nodes, int modes, const double* y, double* x) {
  const hn::ScalableTag<double> d;
  const auto columns = static_cast<std::size_t>(modes);
  for (int i = 0; i < nodes; ++i, A += 3 * columns, y += 3) {
    add_node_transposed(d, A, columns, 0, y, x);
  }
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

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(multiply);
HWY_EXPORT(add_transposed);
HWY_EXPORT(turn);
HWY_EXPORT(turn_back);
HWY_EXPORT(turn_mean);
HWY_EXPORT(turn_mean_back);

namespace kernels {

void multiply(const double* A, int nodes, int modes, const double* x, double* y) {
  HWY_DYNAMIC_DISPATCH(multiply)(A, nodes, modes, x, y);
}
void add_transposed(const double* A, int nodes, int modes, const double* y, double* x) {
  HWY_DYNAMIC_DISPATCH(add_transposed)(A, nodes, modes, y, x);
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

}  // namespace kernels
}  // namespace limber
#endif
