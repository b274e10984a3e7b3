// A checksum that runs at the speed of memory: for finding damage, not for keeping secrets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace limber {

/// 64 bits over all bytes and their number, taken in pieces of any length. Eight independent lanes
/// of multiply and rotate, so the processor always has work while one product is under way.
/// A plain value: whoever holds the next piece, in this process or another, can go on with it.
class Checksum {
 public:
  Checksum();

  void add(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  static constexpr std::size_t kLanes = 8;

  /// Whole rows of one word a lane.
  void mix_in(std::span<const std::byte> rows);

  std::array<std::uint64_t, kLanes> lanes_;
  std::uint64_t size_ = 0;
  std::array<std::byte, kLanes * sizeof(std::uint64_t)>
      rest_{};  ///< size_ % 64 bytes not mixed yet
};

/// The same over one piece.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace limber
