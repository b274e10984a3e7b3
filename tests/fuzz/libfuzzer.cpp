// libFuzzer's entry, for the target that LIMBER_FUZZ_TARGET names. With LIMBER_FUZZ_SEEDS the seeds
// are written to that folder, and that is all.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fuzz/target.h"

namespace {
const limber::fuzz::Target* target = nullptr;

[[noreturn]] void write_seeds(const std::filesystem::path& folder) {
  int number = 0;
  for (const std::string& seed : target->seeds()) {
    std::ofstream(folder / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
  }
  std::exit(0);
}
}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* const name = std::getenv("LIMBER_FUZZ_TARGET");
  target = limber::fuzz::find_target(name == nullptr ? "" : name);
  if (target != nullptr) {
    if (const char* const folder = std::getenv("LIMBER_FUZZ_SEEDS")) write_seeds(folder);
    return 0;
  }
  std::fprintf(stderr, "set LIMBER_FUZZ_TARGET to one of:");
  for (const auto* one : limber::fuzz::targets()) std::fprintf(stderr, " %s", one->name.c_str());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  limber::fuzz::run(*target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
