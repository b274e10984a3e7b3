// torture [FIRST [COUNT]]: COUNT random worlds from number FIRST on; when not told, 200 from 0 and
// those that were findings. Each ends finite or with one line, in seconds. A finding names the
// number; `torture show NUMBER` prints its scene.
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "support/sanitizers.h"
#include "torture/ordeal.h"
#include "torture/random_scene.h"

namespace limber::torture {
namespace {

constexpr int kSecondsEach = 60;  // of the processor

/// Findings beyond the first 200, mended: an explicit body in 256 parts of a step, and in the steps
/// of a relaxation.
constexpr std::array kFound = {227L, 299L, 622L};

volatile std::sig_atomic_t current = 0;

void die(int signal) {
  std::array<char, 128> text{};
  const int length = std::snprintf(text.data(), text.size(), "torture: world %ld: %s\n",
                                   static_cast<long>(current),
                                   signal == SIGPROF ? "takes too long" : strsignal(signal));
  (void)!write(STDERR_FILENO, text.data(), static_cast<std::size_t>(length));
  _exit(1);
}

void watch_the_clock() {
  const int seconds = kSecondsEach * (under_sanitizers() ? 10 : 1);
  const itimerval once{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &once, nullptr);
}

/// The line without its numbers, to count like with like.
std::string kind_of(const std::string& words) {
  std::string kind;
  for (const char c : words.substr(0, words.find(" ("))) {
    if (std::strchr("0123456789.+-", c) == nullptr) {
      kind += c;
    } else if (kind.empty() || kind.back() != '#') {
      kind += '#';
    }
  }
  return kind;
}

int run(const std::vector<long>& seeds) {
  std::array<long, 3> outcomes{};
  std::map<std::string, long> lines;
  int findings = 0;
  for (const long seed : seeds) {
    current = static_cast<std::sig_atomic_t>(seed);
    watch_the_clock();
    try {
      const Outcome outcome = undergo(static_cast<std::uint64_t>(seed));
      ++outcomes[static_cast<std::size_t>(outcome.kind)];
      if (!outcome.words.empty()) ++lines[kind_of(outcome.words)];
    } catch (const std::exception& error) {
      std::fprintf(stderr, "torture: world %ld: %s\n", seed, error.what());
      ++findings;
    }
  }
  for (const auto& [line, times] : lines) std::printf("%6ld  %s\n", times, line.c_str());
  std::printf("%zu worlds: %ld finite, %ld stopped, %ld refused, %d findings; %.0f s\n",
              seeds.size(), outcomes[0], outcomes[1], outcomes[2], findings,
              static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
  return findings == 0 ? 0 : 1;
}

}  // namespace
}  // namespace limber::torture

int main(int argc, char** argv) {
  using namespace limber::torture;
  if (argc == 3 && std::strcmp(argv[1], "show") == 0) {
    std::puts(random_scene(std::strtoull(argv[2], nullptr, 10)).c_str());
    return 0;
  }
  for (const int signal : {SIGPROF, SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) {
    if (signal == SIGPROF || !limber::under_sanitizers()) std::signal(signal, die);
  }
  std::vector<long> seeds(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 200);
  std::iota(seeds.begin(), seeds.end(), argc > 1 ? std::atol(argv[1]) : 0);
  if (argc == 1) seeds.insert(seeds.end(), kFound.begin(), kFound.end());
  return run(seeds);
}
