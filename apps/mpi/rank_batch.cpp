#include "rank_batch.h"

#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <thread>

#include "batch.h"
#include "limber/core/error.h"
#include "messages.h"
#include "sibling_program.h"

namespace limber {

namespace {

constexpr int kReadyTag = 21;  // to the first rank: a result, or the wish for work
constexpr int kWorkTag = 22;   // from the first rank: the number of a body, or kNoMore
constexpr int kNoMore = -1;

/// A result as it travels; messages are cut to fit.
struct Ready {
  int item = kNoMore;  // none yet
  BatchResult::Status status{};
  double seconds = 0;
  std::array<char, 500> message{};
};

Ready as_ready(int item, const BatchResult& result) {
  Ready ready{item, result.status, result.seconds, {}};
  result.message.copy(ready.message.data(), ready.message.size() - 1);
  return ready;
}

/// The first rank: answers the others between looks at its own body.
class Foreman {
 public:
  Foreman(const Ranks& ranks, Batch& batch) : ranks_(ranks), batch_(batch), to_do_(batch.to_do()) {}

  void run(const std::function<BatchResult(int)>& bake) {
    int working = ranks_.size() - 1;
    std::future<BatchResult> own;
    int own_item = kNoMore;
    while (working > 0 || own_item != kNoMore || next_ < to_do_.size()) {
      working -= answer_one() ? 1 : 0;
      if (own_item == kNoMore && next_ < to_do_.size()) {
        own_item = to_do_[next_++];
        own = std::async(std::launch::async, bake, own_item);
      }
      if (own_item != kNoMore &&
          own.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready) {
        note(own_item, own.get());
        own_item = kNoMore;
      } else if (own_item == kNoMore) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
  }

 private:
  /// Whether a rank was sent home.
  bool answer_one() {
    int waiting = 0;
    MPI_Status status{};
    MPI_Iprobe(MPI_ANY_SOURCE, kReadyTag, ranks_.comm(), &waiting, &status);
    if (waiting == 0) return false;
    Ready ready;
    MPI_Recv(&ready, sizeof ready, MPI_BYTE, status.MPI_SOURCE, kReadyTag, ranks_.comm(),
             MPI_STATUS_IGNORE);
    if (ready.item != kNoMore) {
      note(ready.item, {ready.status, ready.seconds, ready.message.data()});
    }
    const int item = next_ < to_do_.size() ? to_do_[next_++] : kNoMore;
    MPI_Send(&item, 1, MPI_INT, status.MPI_SOURCE, kWorkTag, ranks_.comm());
    return item == kNoMore;
  }

  void note(int item, const BatchResult& result) {
    tell("{} of {}: {}", ++noted_, to_do_.size(), result.message);
    batch_.finish(item, result);
  }

  const Ranks& ranks_;
  Batch& batch_;
  std::vector<int> to_do_;
  std::size_t next_ = 0;
  int noted_ = 0;
};

void work_for_foreman(const Ranks& ranks, const std::function<BatchResult(int)>& bake) {
  Ready ready;
  for (;;) {
    MPI_Send(&ready, sizeof ready, MPI_BYTE, 0, kReadyTag, ranks.comm());
    int item = kNoMore;
    MPI_Recv(&item, 1, MPI_INT, 0, kWorkTag, ranks.comm(), MPI_STATUS_IGNORE);
    if (item == kNoMore) return;
    ready = as_ready(item, bake(item));
  }
}

}  // namespace

void run_batch_on_ranks(const Ranks& ranks, const std::filesystem::path& list,
                        const std::filesystem::path& report) {
  std::optional<Batch> batch;
  std::filesystem::path program;
  ranks.together([&] {
    batch.emplace(list, report);
    program = sibling_program("limber");
    if (program.empty()) {
      throw Error("the program limber is not there", "beside limber-modes-mpi or in PATH",
                  "install both in one folder");
    }
  });
  const std::filesystem::path folder = std::filesystem::absolute(list).parent_path();
  const auto bake = [&](int item) -> BatchResult {
    try {
      return bake_item(program, folder, batch->item(item));
    } catch (const std::exception& error) {
      return {BatchResult::Status::failed, 0, error.what()};
    }
  };
  if (ranks.first()) {
    Foreman(ranks, *batch).run(bake);
  } else {
    work_for_foreman(ranks, bake);
  }
  ranks.together([&] {
    if (ranks.first()) batch->conclude();
  });
}

}  // namespace limber
