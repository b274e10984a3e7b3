// An error's line, "WHAT (WHERE): REMEDY", taken apart again: who catches one may know better where
// it happened, or need only what.
#pragma once

#include <string>

#include "limber/core/error.h"

namespace limber {

struct ErrorParts {
  std::string what;
  std::string where;
  std::string remedy;
};

/// The whole line is `what` when it has no such form.
[[nodiscard]] inline ErrorParts parts_of(const Error& error) {
  const std::string line = error.what();
  const std::size_t close = line.rfind("): ");
  const std::size_t open = close == std::string::npos ? close : line.rfind(" (", close);
  if (open == std::string::npos) return {line, "", ""};
  return {line.substr(0, open), line.substr(open + 2, close - open - 2), line.substr(close + 3)};
}

}  // namespace limber
