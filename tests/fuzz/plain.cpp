// fuzz_corpus FOLDER [COPIES [SEED]]: every kept input of FOLDER/TARGET/*, every seed, and COPIES
// damaged copies of the seeds of each target. Needs no special compiler.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/target.h"
#include "support/damage.h"

namespace limber::fuzz {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

long run_kept(const Target& target, const fs::path& folder) {
  long count = 0;
  if (!fs::is_directory(folder)) return 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    run(target, contents(entry.path()));
    ++count;
  }
  return count;
}

long run_damaged(const Target& target, int copies, unsigned seed) {
  const std::vector<std::string> seeds = target.seeds();
  for (const std::string& good : seeds) target.read(good);  // an Error here is a wrong seed
  Damage damage(seed);
  for (int k = 0; k < copies; ++k) {
    run(target, damage.damaged(seeds[static_cast<std::size_t>(k) % seeds.size()]));
  }
  return copies + std::ssize(seeds);
}

}  // namespace
}  // namespace limber::fuzz

int main(int argc, char** argv) {
  using namespace limber::fuzz;
  if (argc < 2) {
    std::fprintf(stderr, "usage: fuzz_corpus FOLDER [COPIES [SEED]]\n");
    return 2;
  }
  const int copies = argc > 2 ? std::atoi(argv[2]) : 500;
  const unsigned seed = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 20261116;
  long total = 0;
  for (const Target* target : targets()) {
    const long kept = run_kept(*target, std::filesystem::path(argv[1]) / target->name);
    const long made = run_damaged(*target, copies, seed);
    std::printf("%-16s %6ld kept %8ld made\n", target->name.c_str(), kept, made);
    total += kept + made;
  }
  std::printf("%ld inputs, no finding\n", total);
  return 0;
}
