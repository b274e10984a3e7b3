// u = Φq and w = Ψq for the vertices of a strip: the inner loop, one pass over a block's modes.
//
// A strip is as many vertices as twelve sums in registers serve: six rows, each either two vectors
// wide, or, where one vector holds the whole block, even and odd modes apart. Fewer sums would wait
// for the latency of multiply-add.
#if defined(LIMBER_SKIN_MODAL_SUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_SKIN_MODAL_SUM_INL_H_
#undef LIMBER_SKIN_MODAL_SUM_INL_H_
#else
#define LIMBER_SKIN_MODAL_SUM_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "limber/modes/playback/packed_surface.h"
#include "limber/skin/skin_kernels.h"
#include "limber/skin/warp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, PackedSurface::kBlock>;
using VF = hn::Vec<DF>;
using Vector3F = Vector3<VF>;

constexpr std::size_t kLanes = hn::MaxLanes(DF());
constexpr std::size_t kRow = PackedSurface::kBlock;  // numbers a row
constexpr std::size_t kModeFloats = PackedSurface::kRows * kRow;
/// Vectors that a strip is wide, and strips a block has.
constexpr std::size_t kWidth = kLanes == kRow ? 1 : 2;
constexpr std::size_t kStrip = kWidth * kLanes;

/// u and w of N vertices.
struct Motion {
  Vector3F u, w;
};

HWY_INLINE Motion no_motion() {
  const VF zero = hn::Zero(DF());
  return {{zero, zero, zero}, {zero, zero, zero}};
}

HWY_INLINE Motion operator+(const Motion& a, const Motion& b) {
  return {{hn::Add(a.u.x, b.u.x), hn::Add(a.u.y, b.u.y), hn::Add(a.u.z, b.u.z)},
          {hn::Add(a.w.x, b.w.x), hn::Add(a.w.y, b.w.y), hn::Add(a.w.z, b.w.z)}};
}

/// Adds q times six rows of float32.
template <bool kRotations>
HWY_INLINE void add_mode(VF q, const float* HWY_RESTRICT rows, Motion& sum) {
  const DF d;
  sum.u.x = hn::MulAdd(q, hn::Load(d, rows), sum.u.x);
  sum.u.y = hn::MulAdd(q, hn::Load(d, rows + kRow), sum.u.y);
  sum.u.z = hn::MulAdd(q, hn::Load(d, rows + 2 * kRow), sum.u.z);
  if constexpr (kRotations) {
    sum.w.x = hn::MulAdd(q, hn::Load(d, rows + 3 * kRow), sum.w.x);
    sum.w.y = hn::MulAdd(q, hn::Load(d, rows + 4 * kRow), sum.w.y);
    sum.w.z = hn::MulAdd(q, hn::Load(d, rows + 5 * kRow), sum.w.z);
  }
}

/// The modes of a surface in float32.
template <bool kRotations>
struct FloatModes {
  explicit FloatModes(const SkinJob& job_) : job(job_), modes(job.surface->mode_count) {}

  HWY_INLINE void sum(int block, std::size_t lane, Motion& first, Motion& second) const {
    const DF d;
    const float* HWY_RESTRICT rows =
        job.surface->rows.data() + block * job.surface->block_floats() + kModeFloats + lane;
    const float* HWY_RESTRICT q = job.q;
    first = second = no_motion();
    if constexpr (kWidth == 2) {
      for (int i = 0; i < modes; ++i, rows += kModeFloats) {
        const VF qi = hn::Set(d, q[i]);
        add_mode<kRotations>(qi, rows, first);
        add_mode<kRotations>(qi, rows + kLanes, second);
      }
    } else {
      int i = 0;
      for (; i + 1 < modes; i += 2, rows += 2 * kModeFloats) {
        add_mode<kRotations>(hn::Set(d, q[i]), rows, first);
        add_mode<kRotations>(hn::Set(d, q[i + 1]), rows + kModeFloats, second);
      }
      if (i < modes) add_mode<kRotations>(hn::Set(d, q[i]), rows, first);
      first = first + second;
    }
  }

  const SkinJob& job;
  int modes;
};

using DI32 = hn::RebindToSigned<DF>;

/// a k_a + b k_b for N vertices, exact: row holds (k_a, k_b) of each, `steps` (a, b) everywhere.
HWY_INLINE VF dot_pairs(hn::Vec<DI32> steps, const std::int16_t* HWY_RESTRICT row) {
#if HWY_TARGET == HWY_SCALAR
  const std::int32_t word = hn::GetLane(steps);
  const auto a = static_cast<std::int16_t>(word), b = static_cast<std::int16_t>(word >> 16);
  return hn::Set(DF(), static_cast<float>(a * row[0] + b * row[1]));
#else
  const hn::Repartition<std::int16_t, DI32> d16;
  const DI32 d32;
  hn::Vec<DI32> odd = hn::Zero(d32);
  const hn::Vec<DI32> even = hn::ReorderWidenMulAccumulate(d32, hn::BitCast(d16, steps),
                                                           hn::Load(d16, row), hn::Zero(d32), odd);
  return hn::ConvertTo(DF(), hn::RearrangeToOddPlusEven(even, odd));
#endif
}

/// Adds three rows of a pair of modes.
HWY_INLINE void add_pair(hn::Vec<DI32> steps, VF scale, const std::int16_t* HWY_RESTRICT rows,
                         Vector3F& sum) {
  sum.x = hn::MulAdd(scale, dot_pairs(steps, rows), sum.x);
  sum.y = hn::MulAdd(scale, dot_pairs(steps, rows + 2 * kRow), sum.y);
  sum.z = hn::MulAdd(scale, dot_pairs(steps, rows + 4 * kRow), sum.z);
}

/// The modes of a surface in int16.
template <bool kRotations>
struct Int16Modes {
  explicit Int16Modes(const SkinJob& job_) : job(job_), pairs(job.surface->pair_count()) {}

  HWY_INLINE void sum(int block, std::size_t lane, Motion& first, Motion& second) const {
    const DF d;
    const DI32 d32;
    const float* HWY_RESTRICT scales =
        job.surface->rows.data() + block * job.surface->block_floats() + kModeFloats;
    const std::int16_t* HWY_RESTRICT rows =
        job.surface->pairs.data() + block * job.surface->block_int16s() + 2 * lane;
    first = second = no_motion();
    for (int i = 0; i < 2 * pairs; i += 2, rows += 2 * kModeFloats) {
      const hn::Vec<DI32> a = hn::Set(d32, job.steps[i]);
      const VF s = hn::Mul(hn::Set(d, job.units[i]), hn::Set(d, scales[i]));
      add_pair(a, s, rows, first.u);
      if constexpr (kWidth == 2) add_pair(a, s, rows + 2 * kLanes, second.u);
      if constexpr (kRotations) {
        const hn::Vec<DI32> b = hn::Set(d32, job.steps[i + 1]);
        const VF t = hn::Mul(hn::Set(d, job.units[i + 1]), hn::Set(d, scales[i + 1]));
        add_pair(b, t, rows + kModeFloats, first.w);
        if constexpr (kWidth == 2) add_pair(b, t, rows + kModeFloats + 2 * kLanes, second.w);
      }
    }
  }

  const SkinJob& job;
  int pairs;
};

}  // namespace HWY_NAMESPACE
}  // namespace limber
HWY_AFTER_NAMESPACE();

#endif
