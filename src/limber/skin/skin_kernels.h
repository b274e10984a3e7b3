// The SIMD kernels behind Skin, chosen at run time for the processor at hand.
#pragma once

#include <cstdint>
#include <span>

#include "limber/modes/playback/packed_surface.h"

namespace limber {

enum class SkinMethod;

/// What one update reads and writes; no ownership.
struct SkinJob {
  const PackedSurface* surface = nullptr;
  SkinMethod method{};
  /// float32: q, one a mode.
  const float* q = nullptr;
  /// int16, for each pair of modes (a, b) and for Φ and Ψ in turn: both q times amplitude as
  /// int16 in one word, a in the lower half; and the unit they are counted in.
  const std::int32_t* steps = nullptr;
  const float* units = nullptr;
  float* positions = nullptr;  // v×3
  float* normals = nullptr;    // v×3, or null: not wanted
};

/// Updates the vertices of the blocks first, …, last−1.
void skin_blocks(const SkinJob& job, int first, int last);

}  // namespace limber
