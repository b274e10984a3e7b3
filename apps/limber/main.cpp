// limber COMMAND …
#include <CLI/CLI.hpp>

#include "blas_start.h"
#include "commands/commands.h"
#include "outcome.h"
#include "process.h"
#include "session.h"

int main(int argc, char** argv) {
  limber::keep_standard_streams();
  limber::end_cleanly_on_signals();
  limber::start_blas_threads_when_needed();
  CLI::App app("Limber turns a mesh into an elastic body that people can grab, twist and throw.",
               "limber");
  app.set_version_flag("--version", "limber " LIMBER_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  limber::Session session;
  app.add_flag("--quiet", session.quiet, "No progress bar");
  limber::add_commands(app, session);
  return limber::tell(limber::run_to_outcome(app, argc, argv));
}
