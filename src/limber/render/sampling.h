// Numbers for Monte Carlo pictures: Sobol' points of the plane, scrambled anew for each pixel and
// for each thing that a sample decides.
//
// Burley 2020, Practical hash-based Owen scrambling. Scrambled this way every prefix of a power of
// two points is spread evenly over the square, so that soft shadows need few samples; shuffling the
// order by the same hash makes the pairs of one sample independent of each other.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "limber/render/shape.h"

namespace limber {

/// What each pair of dimensions decides.
enum class Choice { pixel = 0, key_light = 1, hemisphere = 2, reflection = 3 };

class SampleSequence {
 public:
  /// The sequence of one pixel.
  SampleSequence(std::uint32_t seed, std::uint32_t pixel)
      : key_(mixed(pixel ^ mixed(seed + 0x9E3779B9u))) {}

  void start(int sample) { sample_ = static_cast<std::uint32_t>(sample); }

  /// Two numbers in [0, 1).
  [[nodiscard]] std::array<float, 2> pair(Choice choice) const {
    const std::uint32_t key = mixed(key_ + 0x632BE5ABu * (1 + static_cast<std::uint32_t>(choice)));
    const std::uint32_t index = scrambled(sample_, key);
    return {unit(scrambled(reversed(index), mixed(key + 1))),
            unit(scrambled(second_sobol(index), mixed(key + 2)))};
  }

  /// One number in [0, 1) that belongs to the pixel.
  [[nodiscard]] float dither(std::uint32_t channel) const { return unit(mixed(key_ ^ channel)); }

 private:
  /// A hash of 32 bits (Wellons 2018, lowbias32).
  static std::uint32_t mixed(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
  }

  static std::uint32_t reversed(std::uint32_t x) {
    x = (x << 16) | (x >> 16);
    x = ((x & 0x00FF00FFu) << 8) | ((x & 0xFF00FF00u) >> 8);
    x = ((x & 0x0F0F0F0Fu) << 4) | ((x & 0xF0F0F0F0u) >> 4);
    x = ((x & 0x33333333u) << 2) | ((x & 0xCCCCCCCCu) >> 2);
    return ((x & 0x55555555u) << 1) | ((x & 0xAAAAAAAAu) >> 1);
  }

  /// Owen's nested scrambling by the hash of Laine and Karras 2011.
  static std::uint32_t scrambled(std::uint32_t x, std::uint32_t key) {
    x = reversed(x) + key;
    x ^= x * 0x6C50B47Cu;
    x ^= x * 0xB82F1E52u;
    x ^= x * 0xC7AFE638u;
    x ^= x * 0x8D22F6E6u;
    return reversed(x);
  }

  /// The second dimension of Sobol' (the first is the reversed index).
  static std::uint32_t second_sobol(std::uint32_t index) {
    std::uint32_t result = 0;
    for (std::uint32_t direction = 1u << 31; index != 0; index >>= 1) {
      if ((index & 1) != 0) result ^= direction;
      direction ^= direction >> 1;
    }
    return result;
  }

  /// 24 bits, so that no rounding reaches 1.
  static float unit(std::uint32_t x) { return static_cast<float>(x >> 8) * 0x1p-24f; }

  std::uint32_t key_;
  std::uint32_t sample_ = 0;
};

/// Two unit vectors square to n and to each other (Duff et al. 2017).
inline void make_basis(const Vec3f& n, Vec3f& s, Vec3f& t) {
  const float sign = std::copysign(1.0f, n.z());
  const float a = -1 / (sign + n.z());
  const float b = n.x() * n.y() * a;
  s = Vec3f(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
  t = Vec3f(b, sign + n.y() * n.y() * a, -n.y());
}

/// Unit directions about n, with density cos/π.
inline Vec3f cosine_direction(const Vec3f& n, std::array<float, 2> random) {
  Vec3f s, t;
  make_basis(n, s, t);
  const float angle = 2 * std::numbers::pi_v<float> * random[0];
  const float r = std::sqrt(random[1]);
  return r * std::cos(angle) * s + r * std::sin(angle) * t + std::sqrt(1 - random[1]) * n;
}

/// Unit directions even over a disc of this radius at unit distance along n.
inline Vec3f disc_direction(const Vec3f& n, float radius, std::array<float, 2> random) {
  Vec3f s, t;
  make_basis(n, s, t);
  const float angle = 2 * std::numbers::pi_v<float> * random[0];
  const float r = radius * std::sqrt(random[1]);
  return (n + r * std::cos(angle) * s + r * std::sin(angle) * t).normalized();
}

}  // namespace limber
