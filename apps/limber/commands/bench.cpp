// limber bench: every claim about speed, measured beside its reference.
#include "commands/bench.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"

namespace limber {

void add_bench(CLI::App& app, const Session&) {
  CLI::App& command =
      add_command(app, "bench", "Timings as ratios against references measured in the same run",
                  "limber bench --filter skin --json skin.json");
  auto options = std::make_shared<BenchArguments>();
  command.add_option("--filter", options->filter, "Only benchmarks with this in their name");
  command.add_option("--json", options->json, "Also write the results here");
  command.callback([options] { run_benches(*options); });
}

}  // namespace limber
