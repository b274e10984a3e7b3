// JSON as text that every program reads: finite numbers, valid UTF-8.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace limber {

/// JSON has no infinity and no NaN; libraries write null for them without a word. Throws Error
/// (work_failed) naming the first such number; bytes that are not UTF-8 become U+FFFD. `where` is
/// what the error is about: a file or "standard output". With `indent` −1 all on one line.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& document,
                                    const std::string& where, int indent = 1);

}  // namespace limber
