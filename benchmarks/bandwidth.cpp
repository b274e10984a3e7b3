#include "bandwidth.h"

#include <vector>

#include "timing.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bandwidth.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace limber {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sums with eight accumulators, so that adding never waits for itself.
float sum_of(const float* values, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  auto a = hn::Zero(d), b = a, c = a, e = a, f = a, g = a, h = a, i = a;
  for (std::size_t k = 0; k + 8 * n <= count; k += 8 * n) {
    a = hn::Add(a, hn::LoadU(d, values + k));
    b = hn::Add(b, hn::LoadU(d, values + k + n));
    c = hn::Add(c, hn::LoadU(d, values + k + 2 * n));
    e = hn::Add(e, hn::LoadU(d, values + k + 3 * n));
    f = hn::Add(f, hn::LoadU(d, values + k + 4 * n));
    g = hn::Add(g, hn::LoadU(d, values + k + 5 * n));
    h = hn::Add(h, hn::LoadU(d, values + k + 6 * n));
    i = hn::Add(i, hn::LoadU(d, values + k + 7 * n));
  }
  a = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
  return hn::GetLane(hn::SumOfLanes(d, a));
}

}  // namespace HWY_NAMESPACE
}  // namespace limber
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {

HWY_EXPORT(sum_of);

double read_seconds(std::size_t bytes) {
  const std::vector<float> values(bytes / sizeof(float), 1.0f);
  const int repeats = static_cast<int>(1 + 20'000'000 / bytes);
  return best_seconds_each(
      [&] { do_not_optimize(HWY_DYNAMIC_DISPATCH(sum_of)(values.data(), values.size())); },
      repeats);
}

}  // namespace limber
#endif
