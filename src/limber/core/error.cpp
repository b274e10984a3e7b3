#include "limber/core/error.h"

#include <algorithm>
#include <cstdio>

namespace limber {

namespace {
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string sentence(const std::string& what, const std::string& where, const std::string& remedy) {
  std::string text = what;
  if (!where.empty()) text += " (" + where + ")";
  if (!remedy.empty()) text += ": " + remedy;
  return one_line(text);
}
}  // namespace

Error::Error(const std::string& what, const std::string& where, const std::string& remedy,
             Kind kind)
    : std::runtime_error(sentence(what, where, remedy)),
      problem_(what),
      where_(where),
      remedy_(remedy),
      kind_(kind) {}

Error Error::in(const std::string& place) const {
  if (where_ == place || where_.starts_with(place + ",")) return *this;
  return Error(problem_, where_.empty() ? place : place + ", " + where_, remedy_, kind_);
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace limber
