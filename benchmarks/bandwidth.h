// How fast this machine reads: the limit of everything that streams.
#pragma once

#include <cstddef>

namespace limber {

/// The fastest read of `bytes` bytes over and over, in seconds a pass, on one core.
[[nodiscard]] double read_seconds(std::size_t bytes);

}  // namespace limber
