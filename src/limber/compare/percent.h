// Shares as words for tables and charts.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace limber {

enum class Sign { only_minus, always };

/// Three digits, or all before the point: "0.0123 %", "12.3 %", "3302 %".
[[nodiscard]] inline std::string percent_text(double share, Sign sign = Sign::only_minus) {
  const double percent = 100 * share;
  // Beyond a million nobody reads digits.
  const bool whole = std::abs(percent) >= 999.5 && std::abs(percent) < 1e6;
  const std::string digits =
      whole ? fmt::format("{:.0f} %", percent) : fmt::format("{:.3g} %", percent);
  return sign == Sign::always && percent >= 0 ? "+" + digits : digits;
}

}  // namespace limber
