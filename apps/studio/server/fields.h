// JSON from elsewhere, read field by field: everything is of the right kind and within bounds.
#pragma once

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>

#include "limber/core/error.h"
#include "server/simulation.h"

namespace limber::studio {

using nlohmann::json;

/// One JSON object being read. Everything it gives is of the right kind and within bounds.
class Fields {
 public:
  explicit Fields(const json& object) : object_(object) {}

  [[nodiscard]] double number(const char* key, double low, double high) const {
    const json& value = at(key);
    if (!value.is_number()) refuse(key, "is no number");
    return within(key, value.get<double>(), low, high);
  }
  [[nodiscard]] int integer(const char* key, int low, int high) const {
    return static_cast<int>(std::lround(number(key, low, high)));
  }
  [[nodiscard]] bool boolean(const char* key) const {
    const json& value = at(key);
    if (!value.is_boolean()) refuse(key, "is neither true nor false");
    return value.get<bool>();
  }
  [[nodiscard]] std::string text(const char* key, std::size_t longest) const {
    const json& value = at(key);
    if (!value.is_string()) refuse(key, "is no text");
    std::string result = value.get<std::string>();
    if (result.size() > longest) refuse(key, "is too long");
    return result;
  }
  [[nodiscard]] std::vector<double> numbers(const char* key, std::size_t fewest, std::size_t most,
                                            double low, double high) const {
    const json& value = at(key);
    if (!value.is_array() || value.size() < fewest || value.size() > most) {
      refuse(key, "has the wrong length");
    }
    std::vector<double> result;
    for (const json& item : value) {
      if (!item.is_number()) refuse(key, "holds something else than numbers");
      result.push_back(within(key, item.get<double>(), low, high));
    }
    return result;
  }
  [[nodiscard]] Vec3 vector(const char* key, double largest) const {
    const std::vector<double> v = numbers(key, 3, 3, -largest, largest);
    return {v[0], v[1], v[2]};
  }
  [[nodiscard]] Fields object(const char* key) const {
    const json& value = at(key);
    if (!value.is_object()) refuse(key, "is no object");
    return Fields(value);
  }
  /// The object itself as JSON.
  [[nodiscard]] std::string text_of() const {
    return object_.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  [[nodiscard]] bool has(const char* key) const { return object_.contains(key); }
  [[nodiscard]] const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) refuse(key, "is missing");
    return *found;
  }
  [[noreturn]] static void refuse(const char* key, const char* why) {
    throw Error(fmt::format("`{}` {}", key, why), "command", "reload the page");
  }

 private:
  static double within(const char* key, double value, double low, double high) {
    if (!(value >= low && value <= high)) refuse(key, "is out of range");  // NaN too
    return value;
  }
  const json& object_;
};

// Wide enough for every sensible scene, narrow enough that nothing overflows downstream.
constexpr double kFar = 1e6;       // m, also rad and m/s²
constexpr double kStrong = 1e12;   // N
constexpr double kLongest = 3600;  // s, of a time line
constexpr int kMostBodies = 1000;
constexpr int kMostVertices = 1 << 23;  // what a frame can count
constexpr int kAnyId = 0x7fffffff;
constexpr std::size_t kMostPoints = 64;
constexpr std::size_t kLongestView = 4096;

/// As the page and a project write them. Throw Error.
[[nodiscard]] Hand read_hand(const Fields& fields);
[[nodiscard]] Curve read_curve(const Fields& fields);
[[nodiscard]] MotionCurves read_curves(const Fields& fields);

/// The same the other way.
[[nodiscard]] json as_json(const Vec3& v);
[[nodiscard]] json as_json(const Hand& hand);
[[nodiscard]] json as_json(const Curve& curve);

}  // namespace limber::studio
