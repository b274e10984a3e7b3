// Body names as formats allow them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// The code points of UTF-8 text; each byte that is not part of any becomes U+FFFD.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// Names fit for files on every system: separators, control characters, <>:"|?* and bytes that are
/// not UTF-8 become '_'; an empty name becomes "body", a repeated one gets _2, _3 and so on.
[[nodiscard]] std::vector<std::string> file_names(std::vector<std::string> names);

/// Names made of ASCII letters, digits and '_' alone, not starting with a digit; unique likewise.
[[nodiscard]] std::vector<std::string> identifiers(std::vector<std::string> names);

}  // namespace limber
