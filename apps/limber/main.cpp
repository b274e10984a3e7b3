// limber COMMAND …
#include <CLI/CLI.hpp>

#include "blas_start.h"
#include "commands/commands.h"
#include "outcome.h"
#include "process.h"
#include "session.h"
#include "version.h"

int main(int argc, char** argv) {
  limber::keep_standard_streams();
  limber::end_cleanly_on_signals();
  limber::start_blas_threads_when_needed();
  CLI::App app("Limber turns a mesh into an elastic body that people can grab, twist and throw.",
               "limber");
  app.set_version_flag("--version", limber::version_text());
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  limber::Session session;
  app.add_flag("--quiet", session.quiet, "No progress bar");
  app.add_flag("--progress-lines", session.progress_lines,
               "Progress as lines on stderr, for programs: limber: progress: 0.52 STAGE");
  limber::add_commands(app, session);
  return limber::tell(limber::run_to_outcome(app, argc, argv));
}
