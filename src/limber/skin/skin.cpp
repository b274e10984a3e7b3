#include "limber/skin/skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/threads.h"
#include "limber/skin/skin_kernels.h"

namespace limber {

namespace {

constexpr double kLargestMode = 32767;

/// Amplitudes for the int16 kernel: for each pair of modes, Φ and Ψ in turn, both q times the
/// mode's largest entry as int16 in one word, and the unit they are counted in.
struct Int16Amplitudes {
  std::array<std::int32_t, Skin::kMaxModes + 1> steps;
  std::array<float, Skin::kMaxModes + 1> units;
};

std::uint32_t as_int16(double value) {
  return static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(value)));
}

void quantise(const PackedSurface& surface, std::span<const double> q, Int16Amplitudes& result) {
  const auto scaled = [&](int mode, int half) {
    return mode < surface.mode_count ? q[mode] * surface.amplitudes[2 * mode + half] : 0.0;
  };
  for (int i = 0; i < 2 * surface.pair_count(); ++i) {
    const int half = i % 2;  // 0: Φ, 1: Ψ
    const double a = scaled(i - half, half);
    const double b = scaled(i - half + 1, half);
    const double peak = std::max(std::abs(a), std::abs(b));
    const bool usable = peak > 0 && std::isfinite(peak);
    const double inverse = usable ? kLargestMode / peak : 0;
    result.steps[i] =
        usable ? static_cast<std::int32_t>(as_int16(a * inverse) | as_int16(b * inverse) << 16) : 0;
    // Amplitudes that are not finite must not come out as numbers.
    result.units[i] = static_cast<float>(usable ? peak / kLargestMode : peak);
  }
}

void check_lengths(const PackedSurface& surface, std::size_t amplitudes, std::size_t positions,
                   std::size_t normals) {
  const std::size_t numbers = 3 * static_cast<std::size_t>(surface.vertex_count);
  if (amplitudes != static_cast<std::size_t>(surface.mode_count) || positions != numbers ||
      (normals != 0 && normals != numbers)) {
    throw Error("an array has the wrong length", "Skin::update",
                "give " + std::to_string(surface.mode_count) + " amplitudes and " +
                    std::to_string(numbers) + " numbers for positions and normals");
  }
}

}  // namespace

Skin::Skin(PackedSurface surface) : surface_(std::move(surface)) {
  surface_.check();
  if (surface_.mode_count > kMaxModes) {
    throw Error("the surface has " + std::to_string(surface_.mode_count) + " modes", "Skin",
                "bake it with at most " + std::to_string(kMaxModes));
  }
}

void Skin::update(std::span<const double> q, SkinMethod method, std::span<float> positions,
                  std::span<float> normals, int threads) const {
  check_lengths(surface_, q.size(), positions.size(), normals.size());
  SkinJob job;
  job.surface = &surface_;
  job.method = method;
  job.positions = positions.data();
  job.normals = normals.empty() ? nullptr : normals.data();
  std::array<float, kMaxModes> weights;
  Int16Amplitudes amplitudes;
  if (surface_.precision == Precision::float32) {
    std::transform(q.begin(), q.end(), weights.begin(),
                   [](double value) { return static_cast<float>(value); });
    job.q = weights.data();
  } else {
    quantise(surface_, q, amplitudes);
    job.steps = amplitudes.steps.data();
    job.units = amplitudes.units.data();
  }
  const int blocks = surface_.block_count();
  const int parts = std::clamp(threads, 1, std::max(1, blocks));
  const auto move_part = [&](int part) {
    const auto border = [&](int k) { return static_cast<int>(std::int64_t{blocks} * k / parts); };
    skin_blocks(job, border(part), border(part + 1));
  };
  run_parts(parts, move_part);
}

}  // namespace limber
