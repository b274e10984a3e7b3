// Timing on a machine that other work may share.
#pragma once

#include <algorithm>
#include <ctime>

namespace limber {

/// Seconds of processor time that this process has used: what other processes do hardly shows.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds_of(const Work& work) {
  const double begin = processor_seconds();
  work();
  return processor_seconds() - begin;
}

/// The fastest of several runs, at least three and for at least `budget` seconds.
template <class Work>
double best_seconds(const Work& work, double budget = 0.5) {
  double best = 1e300;
  double spent = 0;
  for (int run = 0; run < 3 || spent < budget; ++run) {
    const double seconds = seconds_of(work);
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

/// Seconds of one call that is too short to time alone: `count` calls at a time.
template <class Work>
double best_seconds_each(const Work& work, int count, double budget = 0.3) {
  return best_seconds(
             [&] {
               for (int k = 0; k < count; ++k) work();
             },
             budget) /
         count;
}

/// Keeps the compiler from leaving out work whose result is not used.
template <class T>
void do_not_optimize(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace limber
