#include "sibling_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "limber/core/error.h"
#include "limber/mesh/netgen/child_process.h"

extern char** environ;

namespace limber {

std::filesystem::path this_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::filesystem::path sibling_program(const std::string& name) {
  const std::filesystem::path beside = find_program((this_program().parent_path() / name).string());
  return beside.empty() ? find_program(name) : beside;
}

int run_in_place(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int problem =
      ::posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (problem != 0) {
    throw Error(std::string("cannot be started: ") + std::strerror(problem), command[0],
                "check that it is a program you may run", Error::Kind::work_failed);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace limber
