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
  add_bench(app, session);
  add_studio(app, session);
  add_study(app, session);
}

CLI::App& add_command(CLI::App& app, const char* name, const char* description,
                      const char* example) {
  CLI::App& command = *app.add_subcommand(name, description);
  command.footer(std::string("Example:\n  ") + example);
  command.fallthrough();  // --quiet may stand behind the command too
  return command;
}

void add_exact(CLI::App& command, bool& exact) {
  command.add_flag(
      "--exact", exact,
      "Every digit of a .glb or .usda; otherwise points are within 1e-5 of a body's size "
      "of where they should be, in a file many times smaller");
}

}  // namespace limber
