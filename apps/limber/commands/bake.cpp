// limber bake: everything precomputed that playing a body needs, in one file; or many bodies.
#include <CLI/CLI.hpp>
#include <memory>
#include <thread>

#include "bake_job.h"
#include "batch.h"
#include "commands/commands.h"
#include "limber/core/error.h"

namespace limber {

namespace {

struct BakeArguments {
  BakeJob job;
  std::filesystem::path batch;
  std::filesystem::path report;
  int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
};

void run_bake(const BakeArguments& options, const Session& session) {
  if (options.batch.empty()) {
    if (options.job.body.mesh_path.empty() || options.job.bake.output.empty()) {
      throw Error("MESH and -o are required", "command line", "see `limber bake --help`");
    }
    options.job.run(session);
    return;
  }
  std::filesystem::path report = options.report;
  if (report.empty()) report = options.batch.string() + ".report.json";
  run_batch(options.batch, report, options.jobs);
}

}  // namespace

void add_bake(CLI::App& app, const Session& session) {
  CLI::App& command = add_command(
      app, "bake", "Precompute a body for playing: modes, rotations, mass and surface in one file",
      "limber bake bar.msh -o bar.limber --fix 'x<=0.001' --young 2e5 --modes auto\n"
      "  limber bake --batch bodies.txt");
  auto options = std::make_shared<BakeArguments>();
  options->job.body.add_to(command)->required(false);
  options->job.bake.add_to(command);
  options->job.solver.add_to(command);
  const std::vector<CLI::Option*> of_one_body = command.get_options(
      [&](const CLI::Option* option) { return option != command.get_help_ptr(); });
  CLI::Option* const batch =
      command.add_option("--batch", options->batch,
                         "Bake many: a file with the words of `limber bake` for one body a line. "
                         "What a report says is "
                         "done is kept, so a batch that was stopped goes on");
  for (CLI::Option* const option : of_one_body) batch->excludes(option);
  command.add_option("--jobs", options->jobs, "For --batch: bodies at once")
      ->check(CLI::PositiveNumber)
      ->needs(batch)
      ->capture_default_str();
  command.add_option("--report", options->report, "For --batch: JSON [LIST.report.json]")
      ->needs(batch);
  command.callback([options, &session] { run_bake(*options, session); });
}

}  // namespace limber
