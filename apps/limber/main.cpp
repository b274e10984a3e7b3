// limber COMMAND …: catches every error once and turns it into one line and an exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "blas_start.h"
#include "commands/commands.h"
#include "limber/core/error.h"
#include "limber/scene/json_reader.h"
#include "messages.h"
#include "process.h"
#include "session.h"
#include "version.h"

namespace {

constexpr int kWorkFailed = 1;
constexpr int kBadInput = 2;

int complain(const std::string& message, int code) {
  limber::tell("error: " + message);
  return code;
}

/// CLI11's message as one line in our form.
int complain_about_usage(const CLI::ParseError& error, const std::string& command) {
  return complain(fmt::format("{} (command line): see `limber {}--help`", error.what(), command),
                  kBadInput);
}

/// CLI11 says no more than that the word was not expected.
void check_command(const CLI::App& app, int argc, char** argv) {
  const auto is_word = [](const char* argument) { return argument[0] != '-'; };
  char** const word = std::find_if(argv + 1, argv + argc, is_word);
  if (word == argv + argc) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), *word) != names.end()) return;
  throw limber::Error(
      fmt::format("there is no command \"{}\"", *word), "command line",
      limber::did_you_mean(*word, names, fmt::format("there are: {}", fmt::join(names, ", "))));
}

int run(CLI::App& app, int argc, char** argv) {
  try {
    check_command(app, argc, argv);
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
    limber::end_by_exception();  // takes no memory to say so
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(fmt::format("{} ({}): check the path and its permissions",
                                error.code().message(), error.path1().string()),
                    kWorkFailed);
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return kWorkFailed;  // told by output_is_written()
    return complain(
        fmt::format("{} (this machine): raise its limits, see `ulimit -a`", error.code().message()),
        kWorkFailed);
  } catch (const std::exception& error) {
    return complain(fmt::format("{} (unexpected): please report this", error.what()), kWorkFailed);
  }
}

}  // namespace

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
  const int code = run(app, argc, argv);
  return limber::output_is_written() ? code : kWorkFailed;
}
