#include "blas_kernels.h"

#ifdef LIMBER_WITH_OPENBLAS

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "sibling_program.h"

extern "C" char* openblas_get_corename();

namespace limber {

namespace {

constexpr const char* kVariable = "OPENBLAS_CORETYPE";

/// Kernels from before AVX2.
bool is_outdated(std::string_view core) {
  constexpr std::array kOld{"Prescott",    "Core2",     "Penryn",     "Dunnington",   "Nehalem",
                            "Sandybridge", "Katmai",    "Coppermine", "Northwood",    "Banias",
                            "Atom",        "Athlon",    "Opteron",    "Opteron_SSE3", "Barcelona",
                            "Bobcat",      "Bulldozer", "Piledriver", "Nano",         "Unknown"};
  return std::find(kOld.begin(), kOld.end(), core) != kOld.end();
}

/// The best kernels that OpenBLAS 0.3 has for this processor, or null.
const char* best_core() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return "SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

}  // namespace

void restart_with_fast_blas(char** argv) {
  if (std::getenv(kVariable) != nullptr || !is_outdated(openblas_get_corename())) return;
  const char* const core = best_core();
  if (core == nullptr) return;
  ::setenv(kVariable, core, 1);
  ::execv(this_program().c_str(), argv);
  // Only reached when the program cannot be started again: then it runs on, slower.
}

}  // namespace limber

#else

namespace limber {
void restart_with_fast_blas(char**) {}
}  // namespace limber

#endif
