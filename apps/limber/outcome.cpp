#include "outcome.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <new>

#include "limber/core/error.h"

namespace limber {

namespace {

constexpr int kWorkFailed = 1;
constexpr int kBadInput = 2;

struct Speaker {
  bool speaks;

  int complain(const std::string& message, int code) const {
    if (speaks) fmt::print(stderr, "limber: error: {}\n", message);
    return code;
  }

  /// CLI11's message as one line in our form.
  int complain_about_usage(const CLI::ParseError& error, const std::string& command) const {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    return complain(fmt::format("{} (command line): see `{} --help`", message, command), kBadInput);
  }
};

}  // namespace

int run_to_outcome(CLI::App& app, int argc, char** argv, bool speaks) {
  const Speaker speaker{speaks};
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();  // whoever did the work has said why
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return speaks ? app.exit(error) : 0;  // --help, --version
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
    return speaker.complain_about_usage(error, app.get_name() + command);
  } catch (const Error& error) {
    return speaker.complain(error.what(),
                            error.kind() == Error::Kind::bad_input ? kBadInput : kWorkFailed);
  } catch (const std::bad_alloc&) {
    return speaker.complain("not enough memory (this machine): use a smaller mesh or fewer modes",
                            kWorkFailed);
  } catch (const std::exception& error) {
    return speaker.complain(fmt::format("{} (unexpected): please report this", error.what()),
                            kWorkFailed);
  }
}

}  // namespace limber
