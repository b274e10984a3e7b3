#include "sibling_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "limber/core/error.h"
#include "limber/mesh/netgen/child_process.h"

extern char** environ;

namespace limber {

namespace {

volatile pid_t in_our_place = 0;

void pass_on(int signal) { ::kill(in_our_place, signal); }

/// In a group of its own, so that a key pressed reaches it once: through us.
pid_t start_apart(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int problem =
      ::posix_spawn(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) {
    throw Error(std::string("cannot be started: ") + std::strerror(problem), command[0],
                "check that it is a program you may run", Error::Kind::work_failed);
  }
  return child;
}

}  // namespace

std::filesystem::path this_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::filesystem::path sibling_program(const std::string& name) {
  const std::filesystem::path beside = find_program((this_program().parent_path() / name).string());
  return beside.empty() ? find_program(name) : beside;
}

int run_in_place(const std::vector<std::string>& command) {
  constexpr std::array kPassedOn{SIGINT, SIGTERM, SIGHUP};
  const pid_t child = start_apart(command);
  in_our_place = child;
  std::array<void (*)(int), kPassedOn.size()> before{};
  for (std::size_t k = 0; k < kPassedOn.size(); ++k) {
    before[k] = std::signal(kPassedOn[k], pass_on);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  for (std::size_t k = 0; k < kPassedOn.size(); ++k) std::signal(kPassedOn[k], before[k]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace limber
