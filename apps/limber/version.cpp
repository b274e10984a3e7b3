#include "version.h"

#include <fmt/format.h>
#include <hwy/highway.h>

namespace limber {

namespace {

/// The best of the instruction sets that the kernels were compiled for: as Highway numbers them,
/// the lowest bit.
std::string lanes() {
  const auto usable = static_cast<std::uint64_t>(hwy::SupportedTargets()) & HWY_TARGETS;
  return hwy::TargetName(static_cast<std::int64_t>(usable & (~usable + 1)));
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

std::string version_text() {
#ifdef LIMBER_WITH_CHOLMOD
  const char* const factors = "CHOLMOD";
#else
  const char* const factors = "no CHOLMOD";
#endif
  return fmt::format("limber {} ({} lanes, {}, {})", LIMBER_VERSION, lanes(), factors, compiler());
}

}  // namespace limber
