// A surface and its modes laid out for one pass from front to back.
//
// The vertices come in blocks of 16, the last one filled up with copies of the last vertex. A row
// is 16 numbers, one a vertex, and every block starts on a cache line.
//
//   float32  `rows`, a block: 6 rest rows x y z nx ny nz,
//                             then for each mode 6 rows Φx Φy Φz Ψx Ψy Ψz.
//   int16    `rows`, a block: 6 rest rows, then for each pair of modes two scales sΦ sΨ, filled up
//                             to whole rows;
//            `pairs`, a block: for each pair of modes (a, b) 6 rows of 16 × (a, b), the order that
//                             dot-product instructions want. A missing b is zero.
//            The numbers mean Φ_a = amplitudes[2a] · sΦ · k, Ψ_a = amplitudes[2a+1] · sΨ · k, with
//            |k| ≤ 32767.
//
// A block's own scales keep the rounding of int16 relative to what moves in that block; the
// amplitudes, each mode's largest |Φ| and |Ψ|, keep a strong mode from drowning the other of its
// pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "limber/core/shared_array.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// How the modes are stored for the surface update. int16 is half as much to read.
enum class Precision { float32, int16 };

struct PackedSurface {
  static constexpr int kBlock = 16;              // vertices a block
  static constexpr int kRows = 6;                // rows of the rest state, and of each mode
  static constexpr std::size_t kAlignment = 64;  // bytes, of `rows` and `pairs`

  Precision precision = Precision::float32;
  int vertex_count = 0;
  int mode_count = 0;
  SharedArray<float> rows;
  SharedArray<std::int16_t> pairs;  // int16 only
  SharedArray<float> amplitudes;    // int16 only, 2 a mode: largest |Φ|, largest |Ψ|; 1 for 0

  [[nodiscard]] int block_count() const { return (vertex_count + kBlock - 1) / kBlock; }
  [[nodiscard]] int pair_count() const { return (mode_count + 1) / 2; }
  /// Numbers of one block in `rows` and in `pairs`.
  [[nodiscard]] std::size_t block_floats() const;
  [[nodiscard]] std::size_t block_int16s() const;
  /// Bytes that one update reads.
  [[nodiscard]] std::size_t byte_count() const;

  /// Throws Error unless the arrays have the sizes and the alignment said above.
  void check() const;
};

/// The body's surface with Φ and Ψ carried from the nodes to its vertices by the binding's weights.
/// Throws Error when the surface does not fit the body or a number is not finite.
[[nodiscard]] PackedSurface pack_surface(const ModalModel& body, Precision precision);

/// Two a mode of a float32 surface: its largest |Φ| and |Ψ|.
[[nodiscard]] std::vector<float> mode_amplitudes(const PackedSurface& surface);

/// A float32 surface stored as int16.
[[nodiscard]] PackedSurface quantised(const PackedSurface& surface);
/// The same for blocks of a larger surface with these amplitudes.
[[nodiscard]] PackedSurface quantised(const PackedSurface& surface, std::vector<float> amplitudes);

}  // namespace limber
