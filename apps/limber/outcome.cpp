#include "outcome.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "limber/core/error.h"
#include "limber/scene/json_reader.h"
#include "messages.h"
#include "process.h"

namespace limber {

namespace {

constexpr int kWorkFailed = 1;
constexpr int kBadInput = 2;

/// CLI11 says no more than that the word was not expected.
void check_command(const CLI::App& app, int argc, char** argv) {
  const auto is_word = [](const char* argument) { return argument[0] != '-'; };
  char** const word = std::find_if(argv + 1, argv + argc, is_word);
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (names.empty() || word == argv + argc) return;
  if (std::find(names.begin(), names.end(), *word) != names.end()) return;
  throw Error(fmt::format("there is no command \"{}\"", *word), "command line",
              did_you_mean(*word, names, fmt::format("there are: {}", fmt::join(names, ", "))));
}

/// CLI11's message in our form.
Outcome about_usage(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  return {
      fmt::format("{} (command line): see `{}{} --help`", error.what(), app.get_name(), command),
      kBadInput};
}

}  // namespace

Outcome run_to_outcome(CLI::App& app, int argc, char** argv, bool speaks) {
  try {
    check_command(app, argc, argv);
    app.parse(argc, argv);
    return {};
  } catch (const CLI::RuntimeError& error) {
    return {"", error.get_exit_code()};  // whoever did the work has said why
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return about_usage(app, error);
    return {"", speaks ? app.exit(error) : 0};  // --help, --version
  } catch (const Error& error) {
    return {error.what(), error.kind() == Error::Kind::bad_input ? kBadInput : kWorkFailed};
  } catch (const std::bad_alloc&) {
    end_by_exception();  // takes no memory to say so
  } catch (const std::filesystem::filesystem_error& error) {
    return {fmt::format("{} ({}): check the path and its permissions", error.code().message(),
                        error.path1().string()),
            kWorkFailed};
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return {"", kWorkFailed};  // told by output_is_written()
    return {
        fmt::format("{} (this machine): raise its limits, see `ulimit -a`", error.code().message()),
        kWorkFailed};
  } catch (const std::exception& error) {
    return {fmt::format("{} (unexpected): please report this", error.what()), kWorkFailed};
  }
}

int tell(const Outcome& outcome) {
  if (!outcome.complaint.empty()) tell("error: " + outcome.complaint);
  return output_is_written() ? outcome.code : kWorkFailed;
}

}  // namespace limber
