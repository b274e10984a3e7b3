// limber bench in the program itself: the program beside it measures.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "commands/bench.h"
#include "limber/core/error.h"

namespace limber {

void run_benches(const BenchArguments& options) {
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
  std::string program = own.parent_path() / "limber-bench";
  if (!std::filesystem::exists(program)) {
    throw Error("the benchmarks are not built", program,
                "`./run bench` in the sources builds and starts them");
  }
  std::string filter = options.filter;
  std::string json = options.json;
  char command[] = "bench", filter_option[] = "--filter", json_option[] = "--json";
  std::vector<char*> arguments{program.data(), command, filter_option, filter.data()};
  if (!json.empty()) arguments.insert(arguments.end(), {json_option, json.data()});
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  throw Error(fmt::format("{} cannot be started: {}", program, std::strerror(errno)), "bench",
              "build it again", Error::Kind::work_failed);
}

}  // namespace limber
