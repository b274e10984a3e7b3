// Orders of elimination are the same whoever asks, however many ask at once.
#include "limber/core/solvers/ordering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

namespace limber {
namespace {

/// The pattern of a grid of `edge` cubed points with `block_size` unknowns each.
SparseMatrix grid(int edge, int block_size) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](int point, int other, double value) {
    for (int i = 0; i < block_size; ++i) {
      for (int j = 0; j < block_size; ++j) {
        entries.emplace_back(block_size * point + i, block_size * other + j, value);
      }
    }
  };
  const int points = edge * edge * edge;
  for (int point = 0; point < points; ++point) {
    add(point, point, 6);
    for (const int stride : {1, edge, edge * edge}) {
      if (point / stride % edge == edge - 1) continue;
      add(point, point + stride, -1);
      add(point + stride, point, -1);
    }
  }
  SparseMatrix A(block_size * points, block_size * points);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(Ordering, IsAPermutationThatKeepsGroupsTogether) {
  const std::vector<int> order = nested_dissection(grid(4, 3), 3);
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted.size(), 192u);
  for (int k = 0; k < 192; ++k) EXPECT_EQ(sorted[k], k);
  for (int k = 0; k < 192; k += 3) {
    EXPECT_EQ(order[k] % 3, 0);
    EXPECT_EQ(order[k + 1], order[k] + 1);
    EXPECT_EQ(order[k + 2], order[k] + 2);
  }
}

TEST(Ordering, IsTheSameForManyThreadsAtOnce) {
  const SparseMatrix A = grid(12, 1);
  const std::vector<int> alone = nested_dissection(A, 1);
  constexpr int kThreads = 8;
  constexpr int kRounds = 6;
  std::vector<int> differences(kThreads, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < kRounds; ++round) {
        if (nested_dissection(A, 1) != alone) ++differences[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, std::vector<int>(kThreads, 0));
}

volatile std::sig_atomic_t terminations = 0;

TEST(Ordering, IsNotDisturbedByTheSignalThatEndsPrograms) {
  // METIS handles SIGTERM itself while it works, by a jump out of whatever it does then.
  struct sigaction count {
  }, before{};
  count.sa_handler = [](int) { terminations = terminations + 1; };
  ASSERT_EQ(sigaction(SIGTERM, &count, &before), 0);
  const SparseMatrix A = grid(12, 1);
  const std::vector<int> expected = nested_dissection(A, 1);
  const pthread_t here = pthread_self();
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
      pthread_kill(here, SIGTERM);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  int same = 0;
  for (int k = 0; k < 50; ++k) same += nested_dissection(A, 1) == expected ? 1 : 0;
  done = true;
  other.join();
  sigaction(SIGTERM, &before, nullptr);
  EXPECT_EQ(same, 50);
  EXPECT_GT(terminations, 0) << "they come when it is done";
}

}  // namespace
}  // namespace limber
