// limber bench: every claim about speed, measured beside its reference.
#ifdef LIMBER_WITH_BENCHMARKS

#include "bench.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/scene/json_writer.h"

namespace limber {

namespace {

struct BenchArguments {
  std::string filter;
  std::filesystem::path json;
};

/// Results that are no times leave their seconds at 0.
std::string readable(double seconds) {
  if (seconds == 0) return "";
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds >= 1e-6) return fmt::format("{:.3g} us", seconds * 1e6);
  return fmt::format("{:.3g} ns", seconds * 1e9);
}

void print(const BenchResult& result) {
  const std::string ratio = result.ratio > 0 ? fmt::format("{:.2f}x", result.ratio) : "";
  const std::string target = result.target <= 0 ? ""
                             : result.ratio > 0 ? fmt::format(">= {:.2f}x", result.target)
                                                : "<= " + readable(result.target);
  fmt::print("{:<48} {:>10} {:>9} {:>11} {}\n", result.name, readable(result.seconds), ratio,
             target, result.met() ? "" : "MISSED");
  if (!result.reference.empty()) {
    const std::string time = readable(result.reference_seconds);
    fmt::print("    against {}{}{}\n", result.reference, time.empty() ? "" : ": ", time);
  }
  if (!result.note.empty()) fmt::print("    {}\n", result.note);
}

nlohmann::ordered_json as_json(const BenchResult& result) {
  const auto known = [](double seconds) {
    return seconds == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(seconds);
  };
  return {{"name", result.name},           {"seconds", known(result.seconds)},
          {"reference", result.reference}, {"reference_seconds", known(result.reference_seconds)},
          {"ratio", result.ratio},         {"target", result.target},
          {"met", result.met()},           {"note", result.note}};
}

void run_benches(const BenchArguments& options) {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  bool any = false;
  std::vector<std::string> names;
  for (const Bench& bench : benches()) {
    names.push_back(bench.name);
    if (bench.name.find(options.filter) == std::string::npos) continue;
    if (!any) fmt::print("{:<48} {:>10} {:>9} {:>11}\n", "", "time", "ratio", "target");
    any = true;
    for (const BenchResult& result : bench.run()) {
      print(result);
      std::fflush(stdout);
      results.push_back(as_json(result));
    }
  }
  if (!any) {
    throw Error("no benchmark has \"" + options.filter + "\" in its name", "--filter",
                fmt::format("there are: {}", fmt::join(names, ", ")));
  }
  if (!options.json.empty()) {
    write_file(options.json, json_text(results, options.json.string()) + "\n");
  }
}

}  // namespace

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

#endif
