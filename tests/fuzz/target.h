// One reader under attack: any bytes give a valid result or an Error of one line.
//
// Two programs run the targets: fuzz_corpus (plain.cpp), which every build has, goes through the
// kept inputs and through damaged copies of the seeds; fuzz_readers (libfuzzer.cpp), built with
// clang by `scripts/fuzz`, looks for new ones by coverage.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace limber::fuzz {

struct Target {
  std::string name;
  /// Reads and checks the bytes. May throw limber::Error; anything else is a finding.
  std::function<void(std::string_view bytes)> read;
  /// Good inputs, made by code.
  std::function<std::vector<std::string>()> seeds;
};

/// Every target of the program, in order of their names.
[[nodiscard]] std::vector<const Target*> targets();
/// Null when there is none of that name.
[[nodiscard]] const Target* find_target(std::string_view name);

/// A target of this name from now on: `const Register kObj({...})` at namespace scope.
class Register {
 public:
  explicit Register(Target target);
};

/// One input: calls read(), and aborts with the reason on stderr unless it succeeds or throws an
/// Error whose text is one printable line.
void run(const Target& target, std::string_view bytes);

/// For readers of files: the bytes in a file with that ending, in memory where the system has such
/// a folder. Always the same path.
[[nodiscard]] std::string file_holding(std::string_view bytes, const std::string& ending);

}  // namespace limber::fuzz
