#include "limber/core/threads.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace limber {

namespace {

class WorkerPool {
 public:
  ~WorkerPool() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void run(int parts, void (*work)(void*, int), void* context) {
    const std::lock_guard turn(turn_);
    {
      const std::lock_guard lock(mutex_);
      start_workers(parts - 1);
      work_ = work;
      context_ = context;
      parts_ = parts;
      unfinished_ = std::min(parts - 1, worker_count());
      ++round_;
    }
    wake_.notify_all();
    work(context, 0);
    for (int part = worker_count() + 1; part < parts; ++part) work(context, part);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return unfinished_ == 0; });
  }

 private:
  [[nodiscard]] int worker_count() const { return static_cast<int>(workers_.size()); }

  /// As many as the system gives; the caller does the parts of those that are missing.
  void start_workers(int wanted) {
    try {
      workers_.reserve(static_cast<std::size_t>(std::max(0, wanted)));
      while (worker_count() < wanted) {
        workers_.emplace_back(
            [this, part = worker_count() + 1, round = round_] { serve(part, round); });
      }
    } catch (const std::system_error&) {  // a limit of processes or memory
    }
  }

  /// Worker `part` does that part of every round that has so many.
  void serve(int part, unsigned long seen) {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return ending_ || round_ != seen; });
      if (ending_) return;
      seen = round_;
      if (part >= parts_) continue;
      lock.unlock();
      work_(context_, part);
      lock.lock();
      if (--unfinished_ == 0) done_.notify_one();
    }
  }

  std::mutex turn_;   // one round at a time
  std::mutex mutex_;  // guards everything below
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> workers_;
  void (*work_)(void*, int) = nullptr;
  void* context_ = nullptr;
  int parts_ = 0;
  int unfinished_ = 0;
  unsigned long round_ = 0;
  bool ending_ = false;
};

}  // namespace

void run_parts(int parts, void (*work)(void* context, int part), void* context) {
  if (parts <= 1) {
    if (parts == 1) work(context, 0);
    return;
  }
  static WorkerPool pool;
  pool.run(parts, work, context);
}

}  // namespace limber
