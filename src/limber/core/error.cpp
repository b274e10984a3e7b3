#include "limber/core/error.h"

#include "limber/core/printable.h"

namespace limber {

namespace {
std::string sentence(const std::string& what, const std::string& where, const std::string& remedy) {
  std::string text = what;
  if (!where.empty()) text += " (" + where + ")";
  if (!remedy.empty()) text += ": " + remedy;
  return printable(text);
}
}  // namespace

Error::Error(const std::string& what, const std::string& where, const std::string& remedy,
             Kind kind)
    : std::runtime_error(sentence(what, where, remedy)), kind_(kind) {}

}  // namespace limber
