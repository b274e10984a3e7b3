// Claims about speed as ratios: each benchmark times the work and a reference in the same run.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace limber {

/// One line of `limber bench`. ratio = reference_seconds / seconds, or a share of a limit; where
/// there is no reference, `seconds` alone speaks and ratio is 0. What is no time has 0 seconds.
struct BenchResult {
  std::string name;
  double seconds = 0;
  double reference_seconds = 0;
  double ratio = 0;
  double target = 0;  ///< of the ratio, or of the seconds where there is no reference
  std::string reference;
  std::string note;

  /// Whether the target is met.
  [[nodiscard]] bool met() const;
};

using BenchFunction = std::function<std::vector<BenchResult>()>;

struct Bench {
  std::string name;
  BenchFunction run;
};

/// All registered benchmarks by name.
[[nodiscard]] std::vector<Bench>& benches();

/// `static const RegisterBench kIt("assembly", &assembly);` at the end of a benchmark's file.
struct RegisterBench {
  RegisterBench(const char* name, BenchFunction run);
};

}  // namespace limber
