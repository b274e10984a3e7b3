// Parts run once each, however many there are and whoever asks.
#include "limber/core/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace limber {
namespace {

TEST(Threads, EveryPartRunsOnce) {
  for (const int parts : {0, 1, 2, 3, 8, 2, 5}) {
    std::vector<std::atomic<int>> runs(8);
    run_parts(parts, [&](int part) { ++runs[part]; });
    for (int part = 0; part < 8; ++part) EXPECT_EQ(runs[part], part < parts ? 1 : 0);
  }
}

TEST(Threads, SeveralCallersTakeTurns) {
  std::atomic<int> total = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) run_parts(3, [&](int) { ++total; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 4 * 200 * 3);
}

}  // namespace
}  // namespace limber
