// What the program settles with the system before its work and after it.
#pragma once

namespace limber {

/// Closed standard streams would give their numbers to the next files opened, and messages would go
/// into those: opens them on /dev/null. Writing to a stdout that was closed still fails.
void keep_standard_streams();

/// SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGXCPU and SIGPIPE remove what is half written, say what was
/// not written, and exit with 128 + the signal's number. Signals ignored by the caller stay so.
void end_cleanly_on_signals();

/// What nothing can catch, such as memory that a step, a thread or a constructor before main() was
/// refused: removes what is half written and says so in one line instead of a core dump; exit 1.
/// Holds from before main() on.
[[noreturn]] void end_by_exception() noexcept;

/// False, with a message told, when the results printed so far could not be written.
[[nodiscard]] bool output_is_written();

}  // namespace limber
