// Programs that stand beside this one, run in its place.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace limber {

/// This program's own file.
[[nodiscard]] std::filesystem::path this_program();
/// The file of a program in this one's folder, or else in PATH; empty when there is none.
[[nodiscard]] std::filesystem::path sibling_program(const std::string& name);

/// Runs a program with this one's output, passes SIGINT, SIGTERM and SIGHUP on to it, and returns
/// its exit code; a signal that ended it counts as 128 and its number. Throws Error when it cannot
/// be started.
[[nodiscard]] int run_in_place(const std::vector<std::string>& command);

}  // namespace limber
