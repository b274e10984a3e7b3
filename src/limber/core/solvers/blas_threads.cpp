#include "limber/core/solvers/blas_threads.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

extern "C" __attribute__((weak)) int openblas_get_num_threads();
extern "C" __attribute__((weak)) void openblas_set_num_threads(int threads);

namespace limber {

namespace {

/// BUFFER_SIZE of OpenBLAS 0.3 on x86-64 is 128 MB a thread, with a page to align it.
constexpr std::size_t kBlasBuffer = (std::size_t{32} << 22) + (1 << 16);

std::atomic<bool> when_needed{false};

bool has_openblas() {
  return openblas_get_num_threads != nullptr && openblas_set_num_threads != nullptr;
}

bool memory_is_limited() {
  rlimit limit{};
  return (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) ||
         (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY);
}

/// So many at a time, besides those there are.
bool can_start(int threads) {
  std::mutex held;
  std::vector<std::thread> trial;
  bool started = true;
  {
    const std::lock_guard all_wait(held);
    try {
      for (int k = 0; k < threads; ++k) {
        trial.emplace_back([&held] { const std::lock_guard wait(held); });
      }
    } catch (const std::system_error&) {
      started = false;
    }
  }
  for (std::thread& thread : trial) thread.join();
  return started;
}

int threads_to_use() {
  static const int threads = [] {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return !memory_is_limited() && can_start(cores - 1) ? cores : 1;
  }();
  return threads;
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  if (!has_openblas()) return;
  threads_ = openblas_get_num_threads();
  if (threads_ > 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (threads_ > 1) openblas_set_num_threads(threads_);
}

void use_blas_threads_when_needed() { when_needed = true; }

ManyThreadedBlas::ManyThreadedBlas() {
  if (!has_openblas() || !when_needed || threads_to_use() == 1) return;
  before_ = openblas_get_num_threads();
  openblas_set_num_threads(threads_to_use());
}

ManyThreadedBlas::~ManyThreadedBlas() {
  if (before_ > 0) openblas_set_num_threads(before_);
}

void check_blas_memory() {
  if (!has_openblas() || !memory_is_limited()) return;
  static const bool enough = [] {
    void* const memory =
        ::mmap(nullptr, kBlasBuffer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) ::munmap(memory, kBlasBuffer);
    return memory != MAP_FAILED;
  }();
  if (!enough) throw std::bad_alloc();
}

}  // namespace limber
