// One function a command: it adds the command with its options and what it runs.
#pragma once

#include <CLI/App.hpp>

#include "session.h"

namespace limber {

void add_info(CLI::App& app, const Session& session);
void add_character(CLI::App& app, const Session& session);
void add_convert(CLI::App& app, const Session& session);
void add_mesh(CLI::App& app, const Session& session);
void add_modes(CLI::App& app, const Session& session);
void add_bake(CLI::App& app, const Session& session);
void add_simulate(CLI::App& app, const Session& session);
void add_interpolate(CLI::App& app, const Session& session);
void add_pose(CLI::App& app, const Session& session);
void add_render(CLI::App& app, const Session& session);
void add_compare(CLI::App& app, const Session& session);
void add_bench(CLI::App& app, const Session& session);
void add_studio(CLI::App& app, const Session& session);
void add_study(CLI::App& app, const Session& session);

/// All of them, in the order of the help text.
void add_commands(CLI::App& app, const Session& session);

/// A command whose help ends with an example.
CLI::App& add_command(CLI::App& app, const char* name, const char* description,
                      const char* example);

/// --exact, of commands that write animations (AnimationWriter::allow_error).
void add_exact(CLI::App& command, bool& exact);

}  // namespace limber
