// Processor time of this thread, which other programs on the machine do not add to.
#pragma once

#include <ctime>

namespace limber {

/// Seconds; of the whole process where a thread's are not known.
inline double processor_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  std::timespec now{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace limber
