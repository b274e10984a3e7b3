// The processes that work together: how numbers, lists and errors pass between them.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace limber {

/// What others sent: items by sender, in the senders' order.
template <class T>
struct Delivery {
  std::vector<T> items;
  std::vector<int> begin;  ///< where each sender's items begin, and one past the last

  [[nodiscard]] int count_from(int rank) const { return begin[rank + 1] - begin[rank]; }
};

class Ranks {
 public:
  explicit Ranks(MPI_Comm comm);

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool first() const { return rank_ == 0; }

  [[nodiscard]] std::int64_t sum(std::int64_t value) const;
  [[nodiscard]] std::int64_t least(std::int64_t value) const;
  [[nodiscard]] std::int64_t largest(std::int64_t value) const;
  [[nodiscard]] double sum(double value) const;
  [[nodiscard]] double largest(double value) const;
  [[nodiscard]] bool any(bool value) const { return largest(std::int64_t{value}) != 0; }
  /// Of all ranks before this one.
  [[nodiscard]] std::int64_t sum_before(std::int64_t value) const;
  /// Number by number, in place.
  void sum(double* values, int count) const;
  void largest(double* values, int count) const;

  /// The first rank's list for all.
  template <class T>
  void broadcast(std::vector<T>& items) const {
    items.resize(static_cast<std::size_t>(broadcast_size(items.size())));
    broadcast_bytes(items.data(), items.size() * sizeof(T));
  }
  [[nodiscard]] std::string broadcast(std::string text, int from) const;

  /// outgoing[r] goes to rank r.
  template <class T>
  [[nodiscard]] Delivery<T> exchange(const std::vector<std::vector<T>>& outgoing) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<int> counts(size_);
    std::vector<int> offsets(size_ + 1, 0);
    for (int r = 0; r < size_; ++r) {
      counts[r] = static_cast<int>(outgoing[r].size());
      offsets[r + 1] = add_counted(offsets[r], outgoing[r].size());
    }
    std::vector<T> packed;
    packed.reserve(offsets.back());
    for (const std::vector<T>& items : outgoing) {
      packed.insert(packed.end(), items.begin(), items.end());
    }
    Delivery<T> delivery;
    std::vector<int> incoming = exchange_counts(counts);
    delivery.begin = running_sum(incoming);
    delivery.items.resize(delivery.begin.back());
    exchange_bytes(packed.data(), counts, offsets, delivery.items.data(), incoming, delivery.begin,
                   sizeof(T));
    return delivery;
  }

  /// All ranks' lists one behind the other, for all.
  template <class T>
  [[nodiscard]] std::vector<T> gather(const std::vector<T>& items) const {
    return exchange(std::vector<std::vector<T>>(size_, items)).items;
  }

  /// Runs `work`, which must not wait for others; when it throws on some ranks, all throw that of
  /// the first of them.
  void together(const std::function<void()>& work) const;

 private:
  [[nodiscard]] std::int64_t broadcast_size(std::size_t size) const;
  void broadcast_bytes(void* data, std::size_t bytes) const;
  [[nodiscard]] std::vector<int> exchange_counts(const std::vector<int>& counts) const;
  /// MPI counts in 32 bits: throws Error beyond.
  [[nodiscard]] static int add_counted(int sum, std::size_t count);
  [[nodiscard]] static std::vector<int> running_sum(const std::vector<int>& counts);
  void exchange_bytes(const void* sent, const std::vector<int>& counts,
                      const std::vector<int>& offsets, void* received,
                      const std::vector<int>& incoming, const std::vector<int>& begin,
                      std::size_t item_bytes) const;

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
};

/// `count` things in file order, cut into one block of neighbours a rank; cuts fall on multiples of
/// `unit`.
struct Blocks {
  std::int64_t count = 0;
  int ranks = 1;
  int unit = 1;

  [[nodiscard]] std::int64_t units() const { return (count + unit - 1) / unit; }
  [[nodiscard]] std::int64_t begin(int rank) const {
    return std::min(count, unit * (units() * rank / ranks));
  }
  [[nodiscard]] std::int64_t end(int rank) const { return begin(rank + 1); }
  [[nodiscard]] std::int64_t size(int rank) const { return end(rank) - begin(rank); }
  [[nodiscard]] int owner(std::int64_t i) const {
    return static_cast<int>(((i / unit + 1) * ranks - 1) / units());
  }
};

/// For each number wanted what its block's owner holds for it; `mine` are those of this rank's own
/// block.
template <class T>
std::vector<T> look_up(const Ranks& ranks, const Blocks& blocks, const std::vector<T>& mine,
                       const std::vector<int>& wanted) {
  std::vector<std::vector<int>> questions(ranks.size());
  for (const int number : wanted) questions[blocks.owner(number)].push_back(number);
  const Delivery<int> asked = ranks.exchange(questions);
  std::vector<std::vector<T>> answers(ranks.size());
  for (int r = 0; r < ranks.size(); ++r) {
    for (int k = asked.begin[r]; k < asked.begin[r + 1]; ++k) {
      answers[r].push_back(mine[asked.items[k] - blocks.begin(ranks.rank())]);
    }
  }
  const Delivery<T> answered = ranks.exchange(answers);
  std::vector<int> next = answered.begin;
  std::vector<T> found;
  found.reserve(wanted.size());
  for (const int number : wanted) found.push_back(answered.items[next[blocks.owner(number)]++]);
  return found;
}

}  // namespace limber
