#include "limber/modes/playback/packed_surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <string>

#include "limber/core/error.h"

namespace limber {
namespace {

constexpr int kBlock = PackedSurface::kBlock;
constexpr int kRows = PackedSurface::kRows;
constexpr std::size_t kModeFloats = kRows * kBlock;
constexpr float kLargestInt16 = 32767;

/// Zeroed memory that starts on a cache line.
template <class T>
struct AlignedArray {
  static constexpr std::align_val_t kAlign{PackedSurface::kAlignment};

  explicit AlignedArray(std::size_t size)
      : owner(static_cast<T*>(::operator new(size * sizeof(T), kAlign)),
              [](T* p) { ::operator delete(p, kAlign); }),
        values(owner.get(), size) {
    std::fill(values.begin(), values.end(), T{0});
  }
  [[nodiscard]] SharedArray<T> share() const { return {owner, values}; }

  std::shared_ptr<T> owner;
  std::span<T> values;
};

[[noreturn]] void refuse(const std::string& what) {
  throw Error(what, "surface of a body", "bake the body again");
}

void check_surface(const ModalModel& body) {
  const BodySurface& surface = body.surface;
  const std::size_t v = surface.vertex_count();
  const std::size_t dofs = 3 * static_cast<std::size_t>(body.node_count());
  if (surface.rest_positions.size() != 3 * v || surface.rest_normals.size() != 3 * v ||
      surface.binding.nodes.size() != 4 * v || surface.binding.weights.size() != 4 * v)
    refuse("positions, normals and binding differ in length");
  if (body.Phi_data.size() != dofs * body.mode_count() ||
      body.Psi_data.size() != dofs * body.mode_count())
    refuse("the modes do not fit the nodes");
  for (const std::int32_t node : surface.binding.nodes)
    if (node < 0 || node >= body.node_count())
      refuse("a vertex hangs on node " + std::to_string(node) + " of " +
             std::to_string(body.node_count()));
}

/// One number of the stream; too large for float counts as infinite.
float finite_float(double value) {
  const float narrow = static_cast<float>(value);
  if (!std::isfinite(narrow)) refuse("a position, normal or mode is not finite");
  return narrow;
}

/// Writes the column of a block that belongs to one vertex.
void pack_vertex(const ModalModel& body, int vertex, float* column) {
  const BodySurface& surface = body.surface;
  for (int c = 0; c < 3; ++c) {
    column[c * kBlock] = finite_float(surface.rest_positions[3 * std::size_t(vertex) + c]);
    column[(3 + c) * kBlock] = finite_float(surface.rest_normals[3 * std::size_t(vertex) + c]);
  }
  ModeMatrix Phi = ModeMatrix::Zero(3, body.mode_count());
  ModeMatrix Psi = ModeMatrix::Zero(3, body.mode_count());
  for (int corner = 0; corner < 4; ++corner) {
    const double weight = surface.binding.weights[4 * std::size_t(vertex) + corner];
    const int node = surface.binding.nodes[4 * std::size_t(vertex) + corner];
    if (weight == 0) continue;
    Phi += weight * body.Phi().middleRows<3>(3 * node);
    Psi += weight * body.Psi().middleRows<3>(3 * node);
  }
  for (int mode = 0; mode < body.mode_count(); ++mode) {
    float* rows = column + (1 + mode) * kModeFloats;
    for (int c = 0; c < 3; ++c) {
      rows[c * kBlock] = finite_float(Phi(c, mode));
      rows[(3 + c) * kBlock] = finite_float(Psi(c, mode));
    }
  }
}

PackedSurface pack_float(const ModalModel& body) {
  PackedSurface packed;
  packed.vertex_count = body.surface.vertex_count();
  packed.mode_count = body.mode_count();
  const AlignedArray<float> rows(packed.block_count() * packed.block_floats());
  for (int i = 0; i < packed.block_count() * kBlock; ++i)
    pack_vertex(body, std::min(i, packed.vertex_count - 1),
                rows.values.data() + (i / kBlock) * packed.block_floats() + i % kBlock);
  packed.rows = rows.share();
  return packed;
}

float largest(std::span<const float> values) {
  float result = 0;
  for (const float value : values) result = std::max(result, std::abs(value));
  return result;
}

/// The three rows of Φ (half 0) or Ψ (half 1) of a mode in a float32 block.
std::span<const float> half_mode(const PackedSurface& surface, int block, int mode, int half) {
  return surface.rows.span().subspan(
      block * surface.block_floats() + (1 + mode) * kModeFloats + half * kModeFloats / 2,
      kModeFloats / 2);
}

/// Stores Φ (half 0) or Ψ (half 1) of a pair of modes in one block and returns their scale.
float quantise_pair(const PackedSurface& surface, std::span<const float> amplitudes, int block,
                    int pair, int half, std::int16_t* target) {
  const int modes = std::min(2, surface.mode_count - 2 * pair);
  float peak = 0;
  for (int i = 0; i < modes; ++i)
    peak = std::max(peak, largest(half_mode(surface, block, 2 * pair + i, half)) /
                              amplitudes[2 * (2 * pair + i) + half]);
  if (peak == 0) return 0;
  for (int i = 0; i < modes; ++i) {
    const std::span<const float> values = half_mode(surface, block, 2 * pair + i, half);
    const double steps = double{kLargestInt16} / peak / amplitudes[2 * (2 * pair + i) + half];
    for (std::size_t k = 0; k < values.size(); ++k)
      target[2 * k + i] = static_cast<std::int16_t>(
          std::clamp(std::round(values[k] * steps), -double{kLargestInt16}, double{kLargestInt16}));
  }
  return peak / kLargestInt16;
}

}  // namespace

std::size_t PackedSurface::block_floats() const {
  if (precision == Precision::float32) return (1 + std::size_t(mode_count)) * kModeFloats;
  const std::size_t scale_rows = (2 * std::size_t(pair_count()) + kBlock - 1) / kBlock;
  return kModeFloats + scale_rows * kBlock;
}

std::size_t PackedSurface::block_int16s() const {
  return precision == Precision::int16 ? 2 * kModeFloats * pair_count() : 0;
}

std::size_t PackedSurface::byte_count() const {
  return rows.size() * sizeof(float) + pairs.size() * sizeof(std::int16_t);
}

void PackedSurface::check() const {
  const auto aligned = [](const void* data) {
    return reinterpret_cast<std::uintptr_t>(data) % kAlignment == 0;
  };
  if (vertex_count < 0 || mode_count < 0) refuse("negative count");
  const std::size_t blocks = block_count();
  if (rows.size() != blocks * block_floats() || pairs.size() != blocks * block_int16s() ||
      amplitudes.size() != (precision == Precision::int16 ? 2 * std::size_t(mode_count) : 0))
    refuse("packed arrays of the wrong length");
  if (!aligned(rows.data()) || !aligned(pairs.data())) refuse("packed arrays are not aligned");
}

PackedSurface pack_surface(const ModalModel& body, Precision precision) {
  check_surface(body);
  PackedSurface packed = pack_float(body);
  return precision == Precision::int16 ? quantised(packed) : packed;
}

std::vector<float> mode_amplitudes(const PackedSurface& surface) {
  std::vector<float> amplitudes(2 * std::size_t(surface.mode_count), 0.0f);
  for (int block = 0; block < surface.block_count(); ++block)
    for (int i = 0; i < 2 * surface.mode_count; ++i)
      amplitudes[i] = std::max(amplitudes[i], largest(half_mode(surface, block, i / 2, i % 2)));
  return amplitudes;
}

PackedSurface quantised(const PackedSurface& surface) {
  return quantised(surface, mode_amplitudes(surface));
}

PackedSurface quantised(const PackedSurface& surface, std::vector<float> amplitudes) {
  std::replace(amplitudes.begin(), amplitudes.end(), 0.0f, 1.0f);
  surface.check();
  if (surface.precision == Precision::int16) return surface;
  PackedSurface packed;
  packed.precision = Precision::int16;
  packed.vertex_count = surface.vertex_count;
  packed.mode_count = surface.mode_count;
  const AlignedArray<float> rows(packed.block_count() * packed.block_floats());
  const AlignedArray<std::int16_t> pairs(packed.block_count() * packed.block_int16s());
  for (int block = 0; block < packed.block_count(); ++block) {
    float* target = rows.values.data() + block * packed.block_floats();
    std::copy_n(surface.rows.data() + block * surface.block_floats(), kModeFloats, target);
    for (int i = 0; i < 2 * packed.pair_count(); ++i)  // Φ and Ψ of each pair in turn
      target[kModeFloats + i] =
          quantise_pair(surface, amplitudes, block, i / 2, i % 2,
                        pairs.values.data() + block * packed.block_int16s() + i * kModeFloats);
  }
  packed.rows = rows.share();
  packed.pairs = pairs.share();
  packed.amplitudes = SharedArray<float>(std::move(amplitudes));
  return packed;
}

}  // namespace limber
