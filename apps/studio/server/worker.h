// One thread for work that would hold up the simulation: opening, baking, exporting.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace limber::studio {

class Worker {
 public:
  /// Thrown through Progress when the studio closes.
  struct Cancelled : std::runtime_error {
    Cancelled() : std::runtime_error("cancelled") {}
  };

  Worker() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

  /// Jobs run one after the other; one that throws ends there.
  void post(std::function<void()> job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
  }

  /// To be called by jobs now and then.
  void check() const {
    if (thread_.get_stop_token().stop_requested()) throw Cancelled();
  }

 private:
  void run(const std::stop_token& stop) {
    while (true) {
      std::function<void()> job;
      {
        std::unique_lock lock(mutex_);
        if (!wake_.wait(lock, stop, [this] { return !jobs_.empty(); })) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      try {
        job();
      } catch (const Cancelled&) {
        return;
      } catch (const std::exception&) {
        // It had no memory left even to say why; the next one may do.
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::function<void()>> jobs_;
  std::jthread thread_;  // last, so that it ends before what it uses
};

}  // namespace limber::studio
