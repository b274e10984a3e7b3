// A checksum that runs at the speed of memory: for finding damage, not for keeping secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace limber {

/// 64 bits over all bytes and their number. Eight independent lanes of multiply and rotate, so the
/// processor always has work while one product is under way.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace limber
