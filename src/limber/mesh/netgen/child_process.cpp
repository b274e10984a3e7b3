#include "limber/mesh/netgen/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "limber/core/error.h"

extern char** environ;

namespace limber {

namespace {
std::vector<std::string> environment_of(const ChildProgram& child) {
  std::vector<std::string> lines;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    bool replaced = false;
    for (const auto& [key, value] : child.environment) replaced |= line.starts_with(key + "=");
    if (!replaced) lines.emplace_back(line);
  }
  for (const auto& [key, value] : child.environment) lines.push_back(key + "=" + value);
  return lines;
}

std::vector<char*> pointers_to(std::vector<std::string>& lines) {
  std::vector<char*> pointers;
  for (std::string& line : lines) pointers.push_back(line.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t start(const ChildProgram& child) {
  std::vector<std::string> arguments = child.arguments;
  arguments.insert(arguments.begin(), child.program.string());
  std::vector<std::string> environment = environment_of(child);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, child.log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, child.folder.c_str());
  pid_t pid = 0;
  const int failure = posix_spawn(&pid, child.program.c_str(), &actions, nullptr,
                                  pointers_to(arguments).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    throw Error(std::string("cannot be started: ") + std::strerror(failure), child.program.string(),
                "check that it is a program you may run", Error::Kind::work_failed);
  }
  return pid;
}

/// Kills the child, if it still runs, and waits for it in any case: no process is left behind.
class Running {
 public:
  explicit Running(pid_t pid) : pid_(pid) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  /// Whether it has ended; then `status` is set.
  bool ended(int& status) {
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
    pid_ = 0;
    return true;
  }

 private:
  pid_t pid_;
};
}  // namespace

ChildEnd run_program(const ChildProgram& child, const std::function<void(double)>& waiting) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  Running running(start(child));
  double told = 0;
  int status = 0;
  while (!running.ended(status)) {
    const double passed = std::chrono::duration<double>(Clock::now() - began).count();
    if (passed > child.seconds) return ChildEnd::timed_out;
    if (waiting && passed > told + 0.1) waiting(told = passed);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? ChildEnd::done : ChildEnd::failed;
}

std::filesystem::path find_program(const std::string& name) {
  const auto runs = [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) {
    return runs(name) ? std::filesystem::absolute(name) : std::filesystem::path();
  }
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable == nullptr ? "" : variable;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    if (folder.starts_with('/') && runs(std::filesystem::path(folder) / name)) {
      return std::filesystem::path(folder) / name;
    }
  }
  return {};
}

}  // namespace limber
