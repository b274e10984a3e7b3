#include "commands/commands.h"

#include <CLI/CLI.hpp>

namespace limber {

void add_commands(CLI::App& app, const Session& session) {
  add_info(app, session);
  add_convert(app, session);
  add_mesh(app, session);
  add_character(app, session);
  add_modes(app, session);
  add_bake(app, session);
  add_simulate(app, session);
  add_interpolate(app, session);
  add_pose(app, session);
  add_render(app, session);
  add_compare(app, session);
#ifdef LIMBER_WITH_BENCHMARKS
  add_bench(app, session);
#endif
  add_studio(app, session);
}

CLI::App& add_command(CLI::App& app, const char* name, const char* description,
                      const char* example) {
  CLI::App& command = *app.add_subcommand(name, description);
  command.footer(std::string("Example:\n  ") + example);
  command.fallthrough();  // --quiet may stand behind the command too
  return command;
}

}  // namespace limber
