// limber COMMAND …: catches every error once and turns it into one line and an exit code.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <new>

#include "blas_kernels.h"
#include "commands/commands.h"
#include "limber/core/error.h"
#include "session.h"

namespace {

constexpr int kWorkFailed = 1;
constexpr int kBadInput = 2;

int complain(const std::string& message, int code) {
  fmt::print(stderr, "limber: error: {}\n", message);
  return code;
}

/// CLI11's message as one line in our form.
int complain_about_usage(const CLI::ParseError& error, const std::string& command) {
  std::string message = error.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  return complain(fmt::format("{} (command line): see `limber {}--help`", message, command),
                  kBadInput);
}

int run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const auto chosen = app.get_subcommands();
    return complain_about_usage(error, chosen.empty() ? "" : chosen.front()->get_name() + " ");
  } catch (const limber::Error& error) {
    return complain(error.what(),
                    error.kind() == limber::Error::Kind::bad_input ? kBadInput : kWorkFailed);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory (this machine): use a smaller mesh or fewer modes",
                    kWorkFailed);
  } catch (const std::exception& error) {
    return complain(fmt::format("{} (unexpected): please report this", error.what()), kWorkFailed);
  }
}

}  // namespace

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
  return run(app, argc, argv);
}
