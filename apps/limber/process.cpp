#include "process.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "limber/core/output_unit.h"
#include "limber/core/write_all.h"
#include "messages.h"

namespace limber {

namespace {

struct EndingSignal {
  int number;
  const char* name;
};
constexpr std::array kEndingSignals{
    EndingSignal{SIGINT, "SIGINT"},   EndingSignal{SIGTERM, "SIGTERM"},
    EndingSignal{SIGHUP, "SIGHUP"},   EndingSignal{SIGXFSZ, "SIGXFSZ"},
    EndingSignal{SIGXCPU, "SIGXCPU"}, EndingSignal{SIGPIPE, "SIGPIPE"}};

/// Calls only what a signal handler may.
void say_in_handler(int number) {
  const char* const unwritten = unwritten_outputs();
  if (number == SIGPIPE && unwritten[0] == '\0') return;  // `limber modes … | head` is content
  const auto put = [](const char* text) { (void)write_all(STDERR_FILENO, {text, strlen(text)}); };
  if (isatty(STDERR_FILENO) != 0) put("\r\033[K");  // the progress bar
  put("limber: ended by ");
  for (const EndingSignal& one : kEndingSignals) {
    if (one.number == number) put(one.name);
  }
  if (unwritten[0] != '\0') {
    put(": not written: ");
    put(unwritten);
  }
  put("\n");
}

void end(int number) {
  if (!remove_all_temporaries(number)) return;  // comes again when the renames are done
  say_in_handler(number);
  _exit(128 + number);
}

/// Before all other constructors, which may throw.
__attribute__((constructor(101))) void watch_for_exceptions() {
  std::set_terminate(end_by_exception);
}

}  // namespace

void end_by_exception() noexcept {
  const char* words = "an exception that nobody expected (unexpected): please report this";
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    words = kNoMemory;
  } catch (...) {
  }
  (void)remove_all_temporaries(SIGTERM);
  for (const char* part : {"limber: error: ", words, "\n"}) {
    (void)write_all(STDERR_FILENO, {part, strlen(part)});
  }
  _exit(1);
}

void keep_standard_streams() {
  // Reading only for stdout: lost results must show.
  constexpr std::array kModes{O_RDONLY, O_RDONLY, O_WRONLY};
  for (int number = 0; number < 3; ++number) {
    if (fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
    (void)!open("/dev/null", kModes[static_cast<std::size_t>(number)]);  // the lowest free number
  }
}

void end_cleanly_on_signals() {
  for (const EndingSignal& one : kEndingSignals) {
    struct sigaction before {};
    if (sigaction(one.number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = end;
    sigfillset(&action.sa_mask);
    sigaction(one.number, &action, nullptr);
  }
}

bool output_is_written() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  tell("error: the results cannot be written (standard output): {}",
       errno != 0 ? std::strerror(errno) : "an earlier write failed");
  return false;
}

}  // namespace limber
