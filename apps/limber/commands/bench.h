// limber bench, of which two programs have two kinds: limber-bench measures, limber starts
// limber-bench. So the benchmarks need not be built before the first picture is seen.
#pragma once

#include <filesystem>
#include <string>

namespace limber {

struct BenchArguments {
  std::string filter;
  std::filesystem::path json;
};

void run_benches(const BenchArguments& options);

}  // namespace limber
