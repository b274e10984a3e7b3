#include "limber/core/error.h"

#include <algorithm>

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
    : std::runtime_error(sentence(what, where, remedy)), kind_(kind) {}

}  // namespace limber
