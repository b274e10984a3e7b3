// How a program ends: one line and an exit code, 2 for bad input, 1 when the work failed.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace limber {

/// Parses, which runs the chosen command, and catches every error once. Where several processes run
/// the same program only one of them `speaks`.
int run_to_outcome(CLI::App& app, int argc, char** argv, bool speaks = true);

}  // namespace limber
