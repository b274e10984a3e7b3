#include "limber/mesh/formats/scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "limber/core/error.h"

namespace limber {

namespace {
constexpr std::size_t kQuotedLength = 24;
/// Node and tet numbers stay far below; keeping clear of the type's end makes sums of them safe.
constexpr std::int64_t kLargestInteger = std::int64_t{1} << 53;
}  // namespace

std::string in_quotes(std::string_view text) {
  std::string clean = "'";
  for (const char c : text.substr(0, kQuotedLength)) clean += c >= ' ' && c <= '~' ? c : '?';
  return clean + (text.size() > kQuotedLength ? "…'" : "'");
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

void Scanner::fail(const std::string& what) const {
  const std::string_view before = bytes_.substr(0, std::min(position_, bytes_.size()));
  const std::string place =
      binary_ ? ", byte " + std::to_string(before.size())
              : ", line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
  throw Error(what, file_name_ + place, kExportAgain);
}

void Scanner::fail_as_a_whole(const std::string& what) const {
  throw Error(what, file_name_, kExportAgain);
}

void Scanner::skip_space() {
  while (position_ < bytes_.size()) {
    const char c = bytes_[position_];
    if (is_space(c)) {
      ++position_;
    } else if (c == syntax_.comment && syntax_.comment != '\0') {
      position_ = std::min(bytes_.find('\n', position_), bytes_.size());
    } else {
      return;
    }
  }
}

bool Scanner::at_end() {
  skip_space();
  return position_ == bytes_.size();
}

std::string_view Scanner::peek() {
  if (at_end()) return {};
  const char* const begin = bytes_.data() + position_;
  const char* end = begin;
  while (!ends_word(end)) ++end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string_view Scanner::word() {
  const std::string_view next = peek();
  if (next.empty()) fail("the file ends too early");
  position_ += next.size();
  return next;
}

double Scanner::number() {
  skip_space();
  const char* begin = bytes_.data() + position_;
  const char* const end = bytes_.data() + bytes_.size();
  if (begin != end && *begin == '+') ++begin;
  double value = 0;
  const auto [stop, problem] = std::from_chars(begin, end, value);
  if (problem != std::errc{} || !ends_word(stop)) return unusual_number();
  position_ = static_cast<std::size_t>(stop - bytes_.data());
  return value;
}

/// Numbers too small for a double become zero; all else that from_chars refuses is an error.
double Scanner::unusual_number() {
  const std::string text(word());
  char* stop = nullptr;
  const double value = std::strtod(text.c_str(), &stop);
  const bool whole = stop == text.c_str() + text.size() && text.find_first_of("xX") == text.npos;
  if (!whole) fail("expected a number, found " + in_quotes(text));
  if (!std::isfinite(value)) fail("number out of range: " + in_quotes(text));
  return value;
}

std::int64_t Scanner::integer() {
  skip_space();
  const char* begin = bytes_.data() + position_;
  const char* const end = bytes_.data() + bytes_.size();
  if (begin != end && *begin == '+') ++begin;
  std::int64_t value = 0;
  const auto [stop, problem] = std::from_chars(begin, end, value);
  if (problem != std::errc{} || !ends_word(stop)) {
    fail("expected a whole number, found " + in_quotes(word()));
  }
  if (value > kLargestInteger || value < -kLargestInteger)
    fail("number out of range: " + std::to_string(value));
  position_ = static_cast<std::size_t>(stop - bytes_.data());
  return value;
}

int Scanner::region() {
  const std::int64_t value = integer();
  if (value != static_cast<int>(value)) fail("region number out of range");
  return static_cast<int>(value);
}

std::size_t Scanner::count(std::string_view things, std::size_t bytes_each) {
  const std::int64_t value = integer();
  check_room(value, things, bytes_each);
  return static_cast<std::size_t>(value);
}

void Scanner::check_room(std::int64_t count, std::string_view things,
                         std::size_t bytes_each) const {
  if (count >= 0 && static_cast<std::uint64_t>(count) <= (bytes_left() + 1) / bytes_each) return;
  fail("the file cannot hold " + std::to_string(count) + " " + std::string(things));
}

void Scanner::expect(std::string_view word_wanted) {
  const std::string_view found = peek();
  if (found != word_wanted) {
    fail("expected " + in_quotes(word_wanted) + ", found " +
         (found.empty() ? "the end of the file" : in_quotes(found)));
  }
  position_ += found.size();
}

bool Scanner::more_on_line() {
  while (position_ < bytes_.size()) {
    const char c = bytes_[position_];
    if (c == '\\' && position_ + 1 < bytes_.size() && bytes_[position_ + 1] == '\n') {
      position_ += 2;
    } else if (c == '\\' && bytes_.substr(position_, 3) == "\\\r\n") {
      position_ += 3;
    } else if (is_space(c) && c != '\n') {
      ++position_;
    } else {
      return c != '\n' && !(c == syntax_.comment && syntax_.comment != '\0');
    }
  }
  return false;
}

std::string_view Scanner::line() {
  const std::size_t end = std::min(bytes_.find('\n', position_), bytes_.size());
  std::string_view text = bytes_.substr(position_, end - position_);
  if (text.ends_with('\r')) text.remove_suffix(1);
  position_ = std::min(end + 1, bytes_.size());
  return text;
}

std::string_view Scanner::take(std::size_t size) {
  if (size > bytes_left()) fail("the file ends too early");
  const std::string_view taken = bytes_.substr(position_, size);
  position_ += size;
  return taken;
}

bool Scanner::skip_past(std::string_view mark) {
  const std::size_t found = bytes_.find(mark, position_);
  if (found == std::string_view::npos) return false;
  position_ = found + mark.size();
  return true;
}

}  // namespace limber
