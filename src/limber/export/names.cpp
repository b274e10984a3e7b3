#include "limber/export/names.h"

#include <algorithm>
#include <set>
#include <utility>

namespace limber {

namespace {

struct CodePoint {
  char32_t value;
  std::size_t bytes;
};

constexpr CodePoint kInvalid = {U'\uFFFD', 1};

/// The code point at the front of non-empty text (Unicode 15, table 3-7).
CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return kInvalid;
  char32_t value = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return kInvalid;
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  if (value < smallest[length] || value > 0x10FFFF || surrogate) return kInvalid;
  return {value, length};
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_unfit_for_files(char32_t c) {
  constexpr std::u32string_view reserved = U"/\\<>:\"|?*\uFFFD";
  return c < 32 || c == 127 || reserved.find(c) != std::u32string_view::npos;
}

std::string file_name(std::string_view name) {
  std::string result;
  while (!name.empty()) {
    const CodePoint c = decode(name);
    result += is_unfit_for_files(c.value) ? "_" : name.substr(0, c.bytes);
    name.remove_prefix(c.bytes);
  }
  return result.empty() ? "body" : result;
}

std::string identifier(std::string_view name) {
  std::string result;
  for (const char32_t c : code_points(name)) {
    result += c < 128 && is_letter_or_digit(static_cast<char>(c)) ? static_cast<char>(c) : '_';
  }
  if (result.empty()) return "body";
  return result[0] >= '0' && result[0] <= '9' ? "_" + result : result;
}

std::vector<std::string> made_unique(std::vector<std::string> names) {
  std::set<std::string> taken;
  for (std::string& name : names) {
    const std::string stem = name;
    for (int copy = 2; !taken.insert(name).second; ++copy) name = stem + "_" + std::to_string(copy);
  }
  return names;
}

}  // namespace

std::u32string code_points(std::string_view text) {
  std::u32string result;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    result += c.value;
    text.remove_prefix(c.bytes);
  }
  return result;
}

std::vector<std::string> file_names(std::vector<std::string> names) {
  std::transform(names.begin(), names.end(), names.begin(), file_name);
  return made_unique(std::move(names));
}

std::vector<std::string> identifiers(std::vector<std::string> names) {
  std::transform(names.begin(), names.end(), names.begin(), identifier);
  return made_unique(std::move(names));
}

}  // namespace limber
