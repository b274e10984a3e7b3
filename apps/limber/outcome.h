// How a program ends: one line and an exit code, 2 for bad input, 1 when the work failed.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace limber {

struct Outcome {
  std::string complaint;  ///< empty when there is nothing to say
  int code = 0;
};

/// Parses, which runs the chosen command, and catches every error once. Where several processes run
/// the same program only one of them `speaks` when help is asked for.
[[nodiscard]] Outcome run_to_outcome(CLI::App& app, int argc, char** argv, bool speaks = true);

/// Says the complaint and returns the exit code, which is not 0 either when results that were
/// printed could not be written.
int tell(const Outcome& outcome);

}  // namespace limber
