// Numbers and arrays as USD's text format spells them, each number with as few digits as give the
// same single-precision value back.
#pragma once

#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace limber {

class UsdaText {
 public:
  template <class Number>
  void number(Number value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    text_.append(digits, end);
  }

  /// [1, 2, 3]
  void integers(std::span<const std::int32_t> values) {
    text_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text_ += ", ";
      number(values[i]);
    }
    text_ += ']';
  }

  /// [(x, y, z), (x, y, z)] for width 3.
  void tuples(std::span<const float> values, std::size_t width) {
    text_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text_ += i % width == 0 ? "), " : ", ";
      if (i % width == 0) text_ += '(';
      number(values[i]);
    }
    text_ += values.empty() ? "]" : ")]";
  }

  UsdaText& operator<<(std::string_view text) {
    text_ += text;
    return *this;
  }

  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

}  // namespace limber
