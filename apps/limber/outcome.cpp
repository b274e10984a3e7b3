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

/// A shell's variable that is not set, as in `--report "$there"`, would pass for an option left out.
void refuse_empty(int argc, char** argv) {
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    if (!argument.empty() && !(argument.starts_with("--") && argument.ends_with('='))) continue;
    throw Error(fmt::format("argument {} is empty: \"{}\"", k, argument), "command line",
                "give a value, or leave the option out");
  }
}

/// CLI11 writes the largest double in 309 digits.
std::string without_endless_numbers(const std::string& words) {
  constexpr std::size_t kEndless = 100;
  const std::size_t range = words.find(" not in range ");
  if (range == std::string::npos || words.size() - range < kEndless) return words;
  return words.substr(0, range) + " is too small, or no number";
}

/// CLI11's message in our form.
Outcome about_usage(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  return {fmt::format("{} (command line): see `{}{} --help`", without_endless_numbers(error.what()),
                      app.get_name(), command),
          kBadInput};
}

}  // namespace

Outcome run_to_outcome(CLI::App& app, int argc, char** argv, bool speaks) {
  try {
    check_command(app, argc, argv);
    refuse_empty(argc, argv);
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
