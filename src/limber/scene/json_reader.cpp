#include "limber/scene/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "limber/core/error.h"

namespace limber {

namespace {

/// Levenshtein's distance: insertions, deletions and replacements.
int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i) + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({row[j + 1] + 1, row[j] + 1, replaced}));
    }
  }
  return row.back();
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& name) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(error.byte, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    throw Error(fmt::format("not valid JSON near line {}", line), name,
                "check commas, quotes and brackets there");
  } catch (const nlohmann::json::out_of_range& error) {
    // "[json.exception.out_of_range.406] number overflow parsing '1e400'"
    const std::string_view what = error.what();
    const std::size_t quote = what.find('\'');
    throw Error(fmt::format("a number is too large{}", quote == what.npos ? "" : ": ") +
                    std::string(quote == what.npos ? "" : what.substr(quote)),
                name, "write one below 1e308");
  }
}

std::string nearest_word(const std::string& word, const std::vector<std::string>& words) {
  return *std::min_element(words.begin(), words.end(), [&](const auto& a, const auto& b) {
    return edit_distance(word, a) < edit_distance(word, b);
  });
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& words,
                         const std::string& otherwise) {
  const std::string nearest = nearest_word(word, words);
  // With more than half of the letters wrong it is another word and no slip.
  const auto letters = static_cast<int>(std::max(word.size(), nearest.size()));
  if (2 * edit_distance(word, nearest) > letters) return otherwise;
  return fmt::format("did you mean \"{}\"?", nearest);
}

void JsonReader::refuse(const std::string& what, const std::string& remedy) const {
  throw Error(place_.empty() ? what : fmt::format("{}: {}", place_, what), file_, remedy);
}

JsonReader JsonReader::child(const nlohmann::json& value, const std::string& step) const {
  const bool dot = !place_.empty() && step.front() != '[';
  return {value, file_, place_ + (dot ? "." : "") + step};
}

void JsonReader::only(std::initializer_list<const char*> keys) const {
  if (!value_->is_object()) refuse("an object is expected", "write { … }");
  const std::vector<std::string> known(keys.begin(), keys.end());
  for (const auto& [key, unused] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    refuse(fmt::format("unknown key \"{}\"", key),
           did_you_mean(key, known, fmt::format("there are: {}", fmt::join(known, ", "))));
  }
}

bool JsonReader::has(const char* key) const { return value_->contains(key); }

JsonReader JsonReader::at(const char* key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) refuse(fmt::format("\"{}\" is missing", key), "add it");
  return child(*found, key);
}

void JsonReader::optional(const char* key,
                          const std::function<void(const JsonReader&)>& read) const {
  if (has(key)) read(at(key));
}

std::vector<JsonReader> JsonReader::elements() const {
  if (!value_->is_array()) refuse("a list is expected", "write [ … ]");
  std::vector<JsonReader> readers;
  for (std::size_t k = 0; k < value_->size(); ++k) {
    readers.push_back(child((*value_)[k], fmt::format("[{}]", k)));
  }
  return readers;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  if (!value_->is_object()) refuse("an object is expected", "write { … }");
  std::vector<std::pair<std::string, JsonReader>> readers;
  for (const auto& [key, value] : value_->items()) readers.emplace_back(key, child(value, key));
  return readers;
}

double JsonReader::number() const {
  if (!value_->is_number()) refuse("a number is expected", "write a number without quotes");
  const double number = value_->get<double>();
  if (!std::isfinite(number)) refuse("the number is not finite", "write an ordinary number");
  return number;
}

double JsonReader::positive() const {
  const double value = number();
  if (!(value > 0)) refuse("must be greater than zero", "write a positive number");
  return value;
}

double JsonReader::not_negative() const {
  const double value = number();
  if (value < 0) refuse("must not be negative", "write zero or a positive number");
  return value;
}

int JsonReader::integer(int least, int most) const {
  const bool whole = value_->is_number_integer();
  const auto value = whole ? value_->get<std::int64_t>() : 0;
  if (!whole || value < least || value > most) {
    refuse(fmt::format("a whole number from {} to {} is expected", least, most), "change it");
  }
  return static_cast<int>(value);
}

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) refuse("true or false is expected", "write it without quotes");
  return value_->get<bool>();
}

std::string JsonReader::string() const {
  if (!value_->is_string()) refuse("a text is expected", "write it in quotes");
  return value_->get<std::string>();
}

Vec3 JsonReader::vector3() const {
  if (!value_->is_array() || value_->size() != 3) {
    refuse("three numbers are expected", "write [x, y, z]");
  }
  const std::vector<JsonReader> components = elements();
  return {components[0].number(), components[1].number(), components[2].number()};
}

std::size_t JsonReader::choice(const std::vector<std::string>& choices) const {
  const std::string word = string();
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found == choices.end()) {
    refuse(fmt::format("\"{}\" is none of {}", word, fmt::join(choices, ", ")),
           did_you_mean(word, choices, "write one of these"));
  }
  return static_cast<std::size_t>(found - choices.begin());
}

}  // namespace limber
