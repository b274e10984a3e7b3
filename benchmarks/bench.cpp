#include "bench.h"

namespace limber {

bool BenchResult::met() const {
  if (target <= 0) return true;
  return ratio > 0 ? ratio >= target : seconds <= target;
}

std::vector<Bench>& benches() {
  static std::vector<Bench> all;
  return all;
}

RegisterBench::RegisterBench(const char* name, BenchFunction run) {
  benches().push_back({name, std::move(run)});
}

}  // namespace limber
