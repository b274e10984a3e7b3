#include "limber/mesh/formats/base64.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace limber {

namespace {
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::int8_t kForeign = -1;
constexpr std::int8_t kSpace = -2;
constexpr std::int8_t kPadding = -3;

constexpr std::array<std::int8_t, 256> make_values() {
  std::array<std::int8_t, 256> values{};
  values.fill(kForeign);
  for (const char c : {' ', '\t', '\r', '\n'}) values[static_cast<unsigned char>(c)] = kSpace;
  values['='] = kPadding;
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}
constexpr std::array<std::int8_t, 256> kValues = make_values();
}  // namespace

std::string base64_encoded(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t present = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      group = group << 8 | (b < present ? static_cast<unsigned char>(bytes[i + b]) : 0U);
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      text += digit <= present ? kDigits[group >> (18 - 6 * digit) & 63U] : '=';
    }
  }
  return text;
}

std::optional<std::string> base64_decoded(std::string_view text, std::size_t most) {
  std::string bytes;
  bytes.reserve(std::min(most, text.size() / 4 * 3) + 3);
  std::uint32_t group = 0;
  int digits = 0;
  int padding = 0;
  for (const char c : text) {
    if (bytes.size() >= most) break;
    const std::int8_t value = kValues[static_cast<unsigned char>(c)];
    if (value == kSpace) continue;
    if (value == kForeign || (value != kPadding && padding > 0)) return std::nullopt;
    if (value == kPadding) ++padding;
    group = group << 6 | (value == kPadding ? 0U : static_cast<std::uint32_t>(value));
    if (++digits < 4) continue;
    if (padding > 2) return std::nullopt;
    for (int b = 0; b < 3 - padding; ++b) bytes += static_cast<char>(group >> (16 - 8 * b) & 255U);
    group = 0;
    digits = padding = 0;
  }
  if (bytes.size() > most) bytes.resize(most);
  return bytes;
}

std::optional<std::string> inflated(std::string_view compressed, std::size_t size) {
  std::string bytes(size, '\0');
  uLongf length = size;
  const int result =
      uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                 reinterpret_cast<const Bytef*>(compressed.data()), compressed.size());
  if (result != Z_OK || length != size) return std::nullopt;
  return bytes;
}

}  // namespace limber
