// Reading JSON with errors that say where: "bodies[0].material.young".
#pragma once

#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/types.h"

namespace limber {

/// One value of a document with the way that leads to it. Each getter throws Error naming that way
/// when the value is of another kind, out of range or not finite.
class JsonReader {
 public:
  JsonReader(const nlohmann::json& value, std::string file, std::string place = "")
      : value_(&value), file_(std::move(file)), place_(std::move(place)) {}

  /// Throws unless this is an object that has only these keys; names the nearest one otherwise.
  void only(std::initializer_list<const char*> keys) const;
  [[nodiscard]] bool has(const char* key) const;
  /// The member, which must be there.
  [[nodiscard]] JsonReader at(const char* key) const;
  /// Calls read(member) when it is there.
  void optional(const char* key, const std::function<void(const JsonReader&)>& read) const;

  /// Elements of an array.
  [[nodiscard]] std::vector<JsonReader> elements() const;
  /// Members of an object, whatever they are called.
  [[nodiscard]] std::vector<std::pair<std::string, JsonReader>> members() const;

  [[nodiscard]] bool is_array() const { return value_->is_array(); }
  [[nodiscard]] bool is_object() const { return value_->is_object(); }
  [[nodiscard]] bool is_string() const { return value_->is_string(); }
  [[nodiscard]] bool is_null() const { return value_->is_null(); }
  [[nodiscard]] bool is_integer() const { return value_->is_number_integer(); }

  [[nodiscard]] double number() const;
  [[nodiscard]] double positive() const;
  [[nodiscard]] double not_negative() const;
  [[nodiscard]] int integer(int least, int most) const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::string string() const;
  [[nodiscard]] Vec3 vector3() const;
  /// Index of the string among the choices.
  [[nodiscard]] std::size_t choice(const std::vector<std::string>& choices) const;

  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  [[nodiscard]] JsonReader child(const nlohmann::json& value, const std::string& step) const;

  const nlohmann::json* value_;  // the document outlives its readers
  std::string file_;
  std::string place_;
};

/// Throws Error that names the line of the file `name` where `text` is no JSON.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& name);

/// The word of the list that is least typing away from `word`.
[[nodiscard]] std::string nearest_word(const std::string& word,
                                       const std::vector<std::string>& words);

/// `did you mean "…"?` with the nearest word, or `otherwise` where none is near.
[[nodiscard]] std::string did_you_mean(const std::string& word,
                                       const std::vector<std::string>& words,
                                       const std::string& otherwise);

}  // namespace limber
