// Text from files and command lines made fit for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace limber {

/// On one line: line breaks and tabs become blanks. Characters that a terminal would obey (escape
/// sequences, C0 and C1 controls), overrides of the reading order and bytes that are not UTF-8 are
/// shown as \x1b.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace limber
