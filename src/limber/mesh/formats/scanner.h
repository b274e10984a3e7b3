// A cursor over a file's bytes, text and binary mixed, that never reads past the end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace limber {

/// The remedy for most of what can be wrong with a file.
inline constexpr const char* kExportAgain = "the file is damaged or cut short, export it again";

/// Reads words, numbers and raw values in turn. Everything unexpected throws Error with the file's
/// name and the line (text) or byte (binary) where it happened. Holds views of bytes it does not
/// own: they must outlive it.
class Scanner {
 public:
  struct Syntax {
    char comment = '\0';            ///< from here to the end of the line is skipped
    bool commas_are_space = false;  ///< as in .veg files
  };

  Scanner(std::string_view bytes, std::string file_name)
      : Scanner(bytes, std::move(file_name), Syntax{}) {}
  Scanner(std::string_view bytes, std::string file_name, Syntax syntax)
      : bytes_(bytes), file_name_(std::move(file_name)), syntax_(syntax) {}

  // Text: each skips white space and comments first.
  [[nodiscard]] bool at_end();
  std::string_view word();
  std::string_view peek();
  double number();
  std::int64_t integer();
  /// A region number: whole, and within an int.
  int region();
  /// A number of things to follow, refused when the rest of the file cannot hold them: each takes
  /// at least `bytes_each` bytes. So no count field makes us allocate more than the file's size.
  std::size_t count(std::string_view things, std::size_t bytes_each);
  void expect(std::string_view word_wanted);

  /// Whether a word follows on this line; a backslash at a line's end continues it.
  bool more_on_line();
  /// From here to the end of the line, without its end; the cursor goes to the next line.
  std::string_view line();

  // Binary.
  template <typename T>
  requires std::is_arithmetic_v<T> T raw(std::endian order = std::endian::little) {
    std::array<char, sizeof(T)> buffer;
    std::memcpy(buffer.data(), take(sizeof(T)).data(), sizeof(T));
    if (order != std::endian::native) std::reverse(buffer.begin(), buffer.end());
    return std::bit_cast<T>(buffer);
  }
  std::string_view take(std::size_t size);
  /// Throws unless `count` things of `bytes_each` bytes still fit into the file.
  void check_room(std::int64_t count, std::string_view things, std::size_t bytes_each) const;

  /// Moves behind the next `mark`; false, and no move, when there is none.
  bool skip_past(std::string_view mark);

  [[nodiscard]] std::size_t position() const { return position_; }
  void seek(std::size_t position) { position_ = position; }
  [[nodiscard]] std::size_t bytes_left() const { return bytes_.size() - position_; }
  [[nodiscard]] std::string_view rest() const { return bytes_.substr(position_); }
  [[nodiscard]] const std::string& file_name() const { return file_name_; }
  /// From now on errors name bytes rather than lines.
  void now_binary() { binary_ = true; }

  [[noreturn]] void fail(const std::string& what) const;
  /// The same for what has no one place in the file.
  [[noreturn]] void fail_as_a_whole(const std::string& what) const;

 private:
  void skip_space();
  [[nodiscard]] bool is_space(char c) const {
    return c == ' ' || (c >= '\t' && c <= '\r') || (c == ',' && syntax_.commas_are_space);
  }
  [[nodiscard]] bool ends_word(const char* p) const {
    return p == bytes_.data() + bytes_.size() || is_space(*p) ||
           (*p == syntax_.comment && syntax_.comment != '\0');
  }
  double unusual_number();

  std::string_view bytes_;
  std::string file_name_;
  Syntax syntax_;
  std::size_t position_ = 0;
  bool binary_ = false;
};

/// `text` fit for an error message: printable, quoted and short.
std::string in_quotes(std::string_view text);
/// ASCII lower case.
std::string lower_case(std::string_view text);
/// `text` without white space around it.
std::string_view trimmed(std::string_view text);

}  // namespace limber
