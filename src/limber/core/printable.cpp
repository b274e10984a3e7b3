#include "limber/core/printable.h"

#include <cstdint>

namespace limber {

namespace {

/// Bytes of the well-formed UTF-8 character at the front, 0 when there is none (Unicode 15,
/// table 3-7), and its code point.
std::size_t character_length(std::string_view text, std::uint32_t& code) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const auto follows = [&](std::size_t k) { return k < text.size() && (byte(k) & 0xC0) == 0x80; };
  const unsigned char first = byte(0);
  code = first;
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  code = first & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if (!follows(k)) return 0;
    code = code << 6 | (byte(k) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  return surrogate || overlong || code > 0x10FFFF ? 0 : length;
}

/// Ends a line where LF does not, or turns the order of what follows, so that a name shows as
/// another ("Trojan source", CVE-2021-42574).
bool rearranges(std::uint32_t code) {
  return code == 0x2028 || code == 0x2029 || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

void append_escaped(std::string& result, std::string_view bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    result += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t length = character_length(text, code);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    if (length == 1 && (code == '\n' || code == '\r' || code == '\t')) {
      result += ' ';
    } else if (length == 0 || control || rearranges(code)) {
      append_escaped(result, character);
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace limber
