#include "limber/skin/skin_kernels.h"

#include <algorithm>

#include "limber/skin/skin.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/skin/skin_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "limber/skin/interleave-inl.h"
#include "limber/skin/modal_sum-inl.h"
#include "limber/skin/warp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber {
namespace HWY_NAMESPACE {

HWY_INLINE Vector3F load_rest(const float* HWY_RESTRICT rows) {
  const DF d;
  return {hn::Load(d, rows), hn::Load(d, rows + kRow), hn::Load(d, rows + 2 * kRow)};
}

/// Moves N vertices: `rest` their rest rows, six of them.
template <bool kWarp, bool kNormals>
HWY_INLINE void move(const Motion& motion, const float* HWY_RESTRICT rest,
                     const Interleave3<DF>& interleave, float* positions, float* normals) {
  const DF d;
  const Vector3F x0 = load_rest(rest);
  Vector3F u = motion.u;
  if constexpr (kWarp || kNormals) {
    const Rotation<DF> rotation(d, motion.w);
    if constexpr (kWarp) u = rotation.warp(motion.u);
    if constexpr (kNormals) {
      const Vector3F n = rotation.rotate(load_rest(rest + 3 * kRow));
      interleave.store(n.x, n.y, n.z, normals);
    }
  }
  interleave.store(hn::Add(x0.x, u.x), hn::Add(x0.y, u.y), hn::Add(x0.z, u.z), positions);
}

/// Moves the sixteen vertices of a block, strip by strip.
template <bool kWarp, bool kNormals, class Modes>
HWY_INLINE void move_block(const Modes& modes, int block, const float* HWY_RESTRICT rest,
                           const Interleave3<DF>& interleave, float* positions, float* normals) {
  const auto at = [](float* numbers, std::size_t lane) {
    return kNormals ? numbers + 3 * lane : nullptr;
  };
  for (std::size_t lane = 0; lane < kRow; lane += kStrip) {
    Motion first;
    Motion second;
    modes.sum(block, lane, first, second);
    move<kWarp, kNormals>(first, rest + lane, interleave, positions + 3 * lane, at(normals, lane));
    if constexpr (kWidth == 2) {
      move<kWarp, kNormals>(second, rest + lane + kLanes, interleave,
                            positions + 3 * (lane + kLanes), at(normals, lane + kLanes));
    }
  }
}

template <template <bool> class Modes, bool kWarp, bool kNormals>
void run(const SkinJob& job, int first_block, int last_block) {
  const PackedSurface& surface = *job.surface;
  const Modes<kWarp || kNormals> modes(job);
  const Interleave3<DF> interleave;
  const std::size_t stride = surface.block_floats();
  const int full = std::min(last_block, surface.vertex_count / static_cast<int>(kRow));
  const float* rest = surface.rows.data() + first_block * stride;
  int block = first_block;
  for (; block < full; ++block, rest += stride) {
    const std::size_t place = static_cast<std::size_t>(block) * 3 * kRow;
    move_block<kWarp, kNormals>(modes, block, rest, interleave, job.positions + place,
                                kNormals ? job.normals + place : nullptr);
  }
  if (block >= last_block) return;
  // The last block is filled up with copies: they are computed, but not handed out.
  float positions[3 * kRow];
  float normals[3 * kRow];
  move_block<kWarp, kNormals>(modes, block, rest, interleave, positions, normals);
  const std::size_t place = static_cast<std::size_t>(block) * 3 * kRow;
  const std::size_t count = 3 * static_cast<std::size_t>(surface.vertex_count) - place;
  std::copy_n(positions, count, job.positions + place);
  if (kNormals) std::copy_n(normals, count, job.normals + place);
}

template <template <bool> class Modes>
void choose(const SkinJob& job, int first, int last) {
  const bool warp = job.method == SkinMethod::warped;
  const bool normals = job.normals != nullptr;
  if (warp && normals) run<Modes, true, true>(job, first, last);
  if (warp && !normals) run<Modes, true, false>(job, first, last);
  if (!warp && normals) run<Modes, false, true>(job, first, last);
  if (!warp && !normals) run<Modes, false, false>(job, first, last);
}

void skin_blocks(const SkinJob& job, int first, int last) {
  if (job.surface->precision == Precision::float32) {
    choose<FloatModes>(job, first, last);
  } else {
    choose<Int16Modes>(job, first, last);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace limber
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(skin_blocks);
void skin_blocks(const SkinJob& job, int first, int last) {
  HWY_DYNAMIC_DISPATCH(skin_blocks)(job, first, last);
}
}  // namespace limber
#endif
