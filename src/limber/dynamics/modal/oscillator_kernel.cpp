// The step of all oscillators, compiled once for each instruction set and chosen at run time.
#include <cstddef>

#include "limber/dynamics/modal/oscillator.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/dynamics/modal/oscillator_kernel.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Lanes>
HWY_INLINE void advance_lanes(Lanes d, const StepCoefficients& c, std::size_t i, double* q,
                              double* v, const double* f) {
  const auto old_q = hn::LoadU(d, q + i);
  const auto old_v = hn::LoadU(d, v + i);
  const auto force = hn::LoadU(d, f + i);
  const auto times = [&](const Vector& coefficients, auto value) {
    return hn::Mul(hn::LoadU(d, coefficients.data() + i), value);
  };
  const auto plus_times = [&](auto sum, const Vector& coefficients, auto value) {
    return hn::MulAdd(hn::LoadU(d, coefficients.data() + i), value, sum);
  };
  hn::StoreU(plus_times(plus_times(times(c.qf, force), c.qv, old_v), c.qq, old_q), d, q + i);
  hn::StoreU(plus_times(plus_times(times(c.vf, force), c.vq, old_q), c.vv, old_v), d, v + i);
}

void advance_all(const StepCoefficients& c, double* q, double* v, const double* f) {
  const hn::ScalableTag<double> lanes;
  const hn::CappedTag<double, 1> single;
  const std::size_t width = hn::Lanes(lanes);
  const auto modes = static_cast<std::size_t>(c.mode_count());
  std::size_t i = 0;
  for (; i + width <= modes; i += width) advance_lanes(lanes, c, i, q, v, f);
  for (; i < modes; ++i) advance_lanes(single, c, i, q, v, f);
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(advance_all);

void advance(const StepCoefficients& coefficients, double* q, double* v, const double* f) {
  HWY_DYNAMIC_DISPATCH(advance_all)(coefficients, q, v, f);
}

}  // namespace limber
#endif
