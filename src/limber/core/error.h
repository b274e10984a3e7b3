// The one exception of the library: what went wrong, where, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace limber {

/// Reads as one line, "WHAT (WHERE): REMEDY". `kind` decides the program's exit code.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    bad_input,   ///< the caller's data or usage is wrong: exit code 2
    work_failed  ///< the data were fine, the work was not (diverged, disk full): exit code 1
  };

  Error(const std::string& what, const std::string& where, const std::string& remedy,
        Kind kind = Kind::bad_input);

  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] const std::string& remedy() const { return remedy_; }
  [[nodiscard]] Kind kind() const { return kind_; }

  /// The same in a larger place, "WHAT (PLACE, WHERE): REMEDY"; unchanged where it names it
  /// already.
  [[nodiscard]] Error in(const std::string& place) const;

 private:
  std::string problem_;
  std::string where_;
  std::string remedy_;
  Kind kind_;
};

/// Three digits, for messages.
[[nodiscard]] std::string short_number(double value);

}  // namespace limber
