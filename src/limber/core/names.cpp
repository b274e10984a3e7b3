#include "limber/core/names.h"

#include <algorithm>

namespace limber {

namespace {
std::string small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}
}  // namespace

int find_by_name(std::span<const std::string> names, const std::string& name) {
  const auto first = [&](const auto& matches) {
    const auto found = std::find_if(names.begin(), names.end(), matches);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
  };
  const std::string small = small_letters(name);
  int found = first([&](const std::string& known) { return known == name; });
  if (found < 0) {
    found = first([&](const std::string& known) { return small_letters(known) == small; });
  }
  if (found < 0) {
    found = first([&](const std::string& known) {
      return small_letters(known.substr(known.rfind('|') + 1)) == small;
    });
  }
  for (std::size_t i = 0; found < 0 && i < names.size(); ++i) {
    if (std::to_string(i) == name) found = static_cast<int>(i);
  }
  return found;
}

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i == 0 ? "\"" : ", \"") + names[i] + "\"";
  }
  if (names.size() > kMost) text += " and " + std::to_string(names.size() - kMost) + " more";
  return text;
}

}  // namespace limber
