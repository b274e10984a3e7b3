// A write that goes on until everything is written.
#pragma once

#include <string_view>

namespace limber {

/// False, with errno set, when the system refuses.
[[nodiscard]] bool write_all(int descriptor, std::string_view bytes) noexcept;

}  // namespace limber
