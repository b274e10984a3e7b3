// Another program run to its end or to a time limit, without a shell in between.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace limber {

struct ChildProgram {
  std::filesystem::path program;                                 ///< its file
  std::vector<std::string> arguments;                            ///< after the program's name
  std::filesystem::path folder;                                  ///< to run in
  std::filesystem::path log;                                     ///< takes what it prints
  std::vector<std::pair<std::string, std::string>> environment;  ///< besides ours, or instead
  double seconds = 60;                                           ///< then it is killed
};

enum class ChildEnd {
  done,       ///< exit code 0
  failed,     ///< another exit code, or a signal
  timed_out,  ///< killed by us
};

/// `waiting` is called ten times a second with the seconds passed; when it throws, the program is
/// killed and the exception goes on. Throws Error (work_failed) when the program cannot be started.
ChildEnd run_program(const ChildProgram& child, const std::function<void(double)>& waiting);

/// The file of a program: itself when it names a folder, else searched for along PATH. Empty when
/// there is none.
std::filesystem::path find_program(const std::string& name);

}  // namespace limber
