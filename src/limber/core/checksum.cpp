#include "limber/core/checksum.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace limber {

namespace {
/// Odd, with bits evenly spread: 2⁶⁴ divided by the golden ratio, and its square root's fraction.
constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kSecond = 0xC2B2AE3D27D4EB4F;

std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  return std::rotl((state ^ word) * kFirst, 29);
}
}  // namespace

Checksum::Checksum() {
  for (std::size_t lane = 0; lane < kLanes; ++lane) lanes_[lane] = kSecond * (lane + 1);
}

void Checksum::mix_in(std::span<const std::byte> rows) {
  std::array<std::uint64_t, kLanes> lanes = lanes_;  // in registers
  const std::byte* at = rows.data();
  for (std::size_t left = rows.size(); left > 0; left -= sizeof lanes, at += sizeof lanes) {
    std::uint64_t words[kLanes];
    std::memcpy(words, at, sizeof words);
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = mix(lanes[lane], words[lane]);
  }
  lanes_ = lanes;
}

void Checksum::add(std::span<const std::byte> bytes) {
  const std::size_t begun = size_ % rest_.size();
  size_ += bytes.size();
  if (begun > 0) {
    const std::size_t taken = std::min(bytes.size(), rest_.size() - begun);
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(begun));
    bytes = bytes.subspan(taken);
    if (begun + taken < rest_.size()) return;
    mix_in(rest_);
  }
  const std::size_t whole = bytes.size() / rest_.size() * rest_.size();
  mix_in(bytes.first(whole));
  std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), rest_.begin());
}

std::uint64_t Checksum::value() const {
  std::uint64_t result = mix(kSecond, size_);
  for (const std::uint64_t lane : lanes_) result = mix(result, lane) * kSecond;
  for (std::size_t i = 0; i < size_ % rest_.size(); ++i) {
    result = mix(result, std::to_integer<std::uint64_t>(rest_[i]));
  }
  return result ^ (result >> 32);
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

}  // namespace limber
