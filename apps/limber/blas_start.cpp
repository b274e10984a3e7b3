#include "blas_start.h"

#ifdef LIMBER_WITH_OPENBLAS

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "limber/core/solvers/blas_threads.h"

namespace limber {

namespace {

// The library's constructors have not run: no C++ object with a constructor may be used here, nor
// anything that a sanitizer watches.
#define LIMBER_BEFORE_CONSTRUCTORS __attribute__((no_sanitize("address", "undefined")))

constexpr char kThreads[] = "OPENBLAS_NUM_THREADS=1";
constexpr char kMark[] = "LIMBER_BLAS_THREADS=when-needed";
constexpr std::size_t kMostVariables = 4096;

/// The best kernels that OpenBLAS 0.3 has for this processor, or null.
LIMBER_BEFORE_CONSTRUCTORS const char* best_core() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return "OPENBLAS_CORETYPE=SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return "OPENBLAS_CORETYPE=Haswell";
  }
#endif
  return nullptr;
}

/// Whether the environment has the variable that `assignment` sets.
LIMBER_BEFORE_CONSTRUCTORS bool has(char** environment, const char* assignment) {
  std::size_t name = 0;
  while (assignment[name] != '=') ++name;
  for (char** entry = environment; *entry != nullptr; ++entry) {
    std::size_t same = 0;
    while (same <= name && (*entry)[same] == assignment[same]) ++same;
    if (same > name) return true;
  }
  return false;
}

LIMBER_BEFORE_CONSTRUCTORS void start_again(int /*argc*/, char** argv, char** environment) {
  const char* added[3] = {};
  int count = 0;
  if (!has(environment, kThreads)) {
    added[count++] = kThreads;
    added[count++] = kMark;
  }
  const char* const core = best_core();
  if (core != nullptr && !has(environment, core)) added[count++] = core;
  if (count == 0) return;
  static const char* changed[kMostVariables];
  std::size_t size = 0;
  for (; environment[size] != nullptr; ++size) {
    if (size + 4 >= kMostVariables) return;
    changed[size] = environment[size];
  }
  for (int k = 0; k < count; ++k) changed[size++] = added[k];
  ::execve("/proc/self/exe", argv, const_cast<char**>(changed));
  // Only reached when the program cannot be started again: then it runs on as OpenBLAS likes it.
}

__attribute__((section(".preinit_array"),
               used)) void (*const before_constructors)(int, char**, char**) = &start_again;

}  // namespace

void start_blas_threads_when_needed() {
  if (std::getenv("LIMBER_BLAS_THREADS") == nullptr) return;
  use_blas_threads_when_needed();
  ::unsetenv("LIMBER_BLAS_THREADS");  // programs started by this one share its cores
}

}  // namespace limber

#else

namespace limber {
void start_blas_threads_when_needed() {}
}  // namespace limber

#endif
