// limber COMMAND …
#include <CLI/CLI.hpp>

#include "blas_kernels.h"
#include "commands/commands.h"
#include "outcome.h"
#include "session.h"

int main(int argc, char** argv) {
  limber::restart_with_fast_blas(argv);
  CLI::App app("Limber turns a mesh into an elastic body that people can grab, twist and throw.",
               "limber");
  app.set_version_flag("--version", "limber " LIMBER_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  limber::Session session;
  app.add_flag("--quiet", session.quiet, "No progress bar");
  limber::add_commands(app, session);
  return limber::run_to_outcome(app, argc, argv);
}
