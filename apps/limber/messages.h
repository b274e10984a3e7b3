// Words to the user beside the results: on stderr, which may be closed or full.
#pragma once

#include <fmt/format.h>

#include <string>

namespace limber {

/// Told without taking any.
inline constexpr const char* kNoMemory =
    "not enough memory (this machine): use a smaller mesh or fewer modes";

/// "limber: TEXT" on a line of its own. What cannot be said is left unsaid.
void tell(const std::string& text) noexcept;

template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  tell(fmt::format(format, std::forward<Args>(args)...));
}

/// "limber: warning: TEXT".
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  tell("warning: " + fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace limber
