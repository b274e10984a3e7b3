// Text and raw numbers put together quickly, doubles so that they read back the same.
#pragma once

#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace limber {

class TextWriter {
 public:
  TextWriter& operator<<(std::string_view text) {
    text_ += text;
    return *this;
  }
  TextWriter& operator<<(char c) {
    text_ += c;
    return *this;
  }
  /// The shortest digits that give the same number back.
  template <typename Number>
  requires std::is_arithmetic_v<Number> TextWriter& operator<<(Number number) {
    std::array<char, 32> digits;
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    text_.append(digits.data(), static_cast<std::size_t>(result.ptr - digits.data()));
    return *this;
  }
  /// The number's bytes in the machine's order, which is little-endian wherever Limber runs.
  template <typename Number>
  requires std::is_arithmetic_v<Number> TextWriter& raw(Number number) {
    std::array<char, sizeof(Number)> bytes;
    std::memcpy(bytes.data(), &number, sizeof(Number));
    text_.append(bytes.data(), bytes.size());
    return *this;
  }

  [[nodiscard]] std::size_t size() const { return text_.size(); }
  /// The text so far; the writer starts again from nothing.
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

}  // namespace limber
