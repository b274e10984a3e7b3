#include "limber/core/checksum.h"

#include <bit>
#include <cstring>

namespace limber {

namespace {
constexpr int kLanes = 8;
/// Odd, with bits evenly spread: 2⁶⁴ divided by the golden ratio, and its square root's fraction.
constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kSecond = 0xC2B2AE3D27D4EB4F;

std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  return std::rotl((state ^ word) * kFirst, 29);
}
}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t lanes[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = kSecond * (lane + 1);
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= sizeof lanes; left -= sizeof lanes, at += sizeof lanes) {
    std::uint64_t words[kLanes];
    std::memcpy(words, at, sizeof words);
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = mix(lanes[lane], words[lane]);
  }
  std::uint64_t result = mix(kSecond, bytes.size());
  for (const std::uint64_t lane : lanes) result = mix(result, lane) * kSecond;
  for (; left > 0; --left, ++at) result = mix(result, std::to_integer<std::uint64_t>(*at));
  return result ^ (result >> 32);
}

}  // namespace limber
