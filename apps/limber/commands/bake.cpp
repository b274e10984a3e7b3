// limber bake: everything precomputed that playing a body needs, in one file; or many bodies.
#include <CLI/CLI.hpp>
#include <memory>
#include <thread>

#include "bake_job.h"
#include "batch.h"
#include "batch_options.h"
#include "commands/commands.h"
#include "limber/core/error.h"

namespace limber {

namespace {

struct BakeArguments {
  BakeJob job;
  BatchOptions batch;
  int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
};

void run_bake(const BakeArguments& options, const Session& session) {
  if (!options.batch.given()) {
    if (options.job.body.mesh_path.empty() || options.job.bake.output.empty()) {
      throw Error("MESH and -o are required", "command line", "see `limber bake --help`");
    }
    options.job.run(session);
    return;
  }
  options.batch.refuse_options_of_one_body();
  run_batch(options.batch.list, options.batch.report_path(), options.jobs);
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
  CLI::Option* const batch = options->batch.add_to(
      command,
      "Bake many: a file with the words of `limber bake` for one body a line. What a report says "
      "is done is kept, so a batch that was stopped goes on");
  command.add_option("--jobs", options->jobs, "For --batch: bodies at once")
      ->check(CLI::PositiveNumber)
      ->needs(batch)
      ->capture_default_str();
  command
      .add_option("--local", options->job.local,
                  "Residual modes for local detail where the body is touched, of at most so many "
                  "surface nodes (1000 if no number is given)")
      ->expected(0, 1)
      ->default_str("1000")
      ->check(CLI::Range(1, 20000));
  command
      .add_option("--reduced", options->job.reduced_fields,
                  "Train the body for method \"reduced\" too, with so many fields (30 is good)")
      ->check(CLI::Range(1, 1000));
  command.callback([options, &session] { run_bake(*options, session); });
}

}  // namespace limber
