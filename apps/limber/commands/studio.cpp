// limber studio: the browser studio on this machine.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "commands/commands.h"
#include "server/studio.h"

namespace limber {

void add_studio(CLI::App& app, const Session& session) {
  struct Options {
    std::filesystem::path what;
    studio::ServerOptions server;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& command = add_command(app, "studio", "Grab, turn and throw bodies in the browser",
                                  "limber studio bunny.obj --port 8080");
  command.add_option("what", options->what, "Scene, mesh or baked body; a sample when left out");
  command.add_option("--host", options->server.host, "Address to listen at")->capture_default_str();
  command.add_option("--port", options->server.port, "Port to listen at; 0 takes a free one")
      ->capture_default_str();
  command.callback([options, &session] {
    studio::run_studio(options->what, options->server, session.progress(),
                       [](const std::string& address) {
                         fmt::print("The studio is at {} (Ctrl+C ends it)\n", address);
                         std::fflush(stdout);
                       });
  });
}

}  // namespace limber
