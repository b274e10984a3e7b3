#include "limber/scene/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "limber/core/error.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

/// The way to the first number that is not finite, "frames[3].bodies[0].volume"; empty when all
/// are.
std::string find_not_finite(const Json& value, const std::string& place) {
  if (value.is_number_float()) return std::isfinite(value.get<double>()) ? "" : place;
  if (value.is_array()) {
    for (std::size_t k = 0; k < value.size(); ++k) {
      // Long lists of numbers are most of a report: no text for those that are fine.
      if (value[k].is_number() && std::isfinite(value[k].get<double>())) continue;
      const std::string found = find_not_finite(value[k], fmt::format("{}[{}]", place, k));
      if (!found.empty()) return found;
    }
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      if (member.is_number() && std::isfinite(member.get<double>())) continue;
      const std::string found = find_not_finite(member, place.empty() ? key : place + "." + key);
      if (!found.empty()) return found;
    }
  }
  return "";
}

}  // namespace

std::string json_text(const Json& document, const std::string& where, int indent) {
  if (const std::string place = find_not_finite(document, ""); !place.empty()) {
    throw Error(fmt::format("{} is not a finite number", place), where,
                "the motion has left every sensible size: take smaller forces or time steps",
                Error::Kind::work_failed);
  }
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace limber
