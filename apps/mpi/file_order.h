// Things scattered over ranks, brought back into the file's order: each rank gets its block.
#pragma once

#include <algorithm>
#include <vector>

#include "ranks.h"

namespace limber {

class FileOrder {
 public:
  /// `numbers` of the things this rank has; every number of `blocks` is on exactly one rank.
  FileOrder(const Ranks& ranks, const Blocks& blocks, const std::vector<int>& numbers)
      : ranks_(ranks), sent_(ranks.size()) {
    std::vector<std::vector<int>> outgoing(ranks.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const int owner = blocks.owner(numbers[i]);
      sent_[owner].push_back(static_cast<int>(i));
      outgoing[owner].push_back(numbers[i]);
    }
    arrived_ = ranks.exchange(outgoing);
    for (int& number : arrived_.items) number -= static_cast<int>(blocks.begin(ranks.rank()));
  }

  /// `width` values a thing, thing by thing, for this rank's block.
  template <class T>
  [[nodiscard]] std::vector<T> rows(const T* values, int width) const {
    const auto wide = static_cast<std::size_t>(width);
    std::vector<std::vector<T>> outgoing(ranks_.size());
    for (int r = 0; r < ranks_.size(); ++r) {
      outgoing[r].reserve(sent_[r].size() * wide);
      for (const int i : sent_[r]) {
        outgoing[r].insert(outgoing[r].end(), values + i * wide, values + (i + 1) * wide);
      }
    }
    const Delivery<T> incoming = ranks_.exchange(outgoing);
    std::vector<std::vector<T>>().swap(outgoing);
    std::vector<T> result(arrived_.items.size() * wide);
    for (std::size_t k = 0; k < arrived_.items.size(); ++k) {
      std::copy_n(incoming.items.data() + k * wide, wide, result.data() + arrived_.items[k] * wide);
    }
    return result;
  }

  /// The way back: for each of this rank's things the `width` values that its block has.
  template <class T>
  [[nodiscard]] std::vector<T> from_blocks(const std::vector<T>& block, int width) const {
    const auto wide = static_cast<std::size_t>(width);
    std::vector<std::vector<T>> outgoing(ranks_.size());
    for (int r = 0; r < ranks_.size(); ++r) {
      for (int k = arrived_.begin[r]; k < arrived_.begin[r + 1]; ++k) {
        const T* const row = block.data() + arrived_.items[k] * wide;
        outgoing[r].insert(outgoing[r].end(), row, row + wide);
      }
    }
    const Delivery<T> incoming = ranks_.exchange(outgoing);
    std::vector<T> result(incoming.items.size());
    const T* next = incoming.items.data();
    for (const std::vector<int>& sent : sent_) {
      for (const int i : sent) {
        std::copy_n(next, wide, result.data() + i * wide);
        next += wide;
      }
    }
    return result;
  }

  /// The same for lists of different lengths, one behind the other.
  template <class T>
  [[nodiscard]] std::vector<T> lists(const std::vector<std::vector<T>>& values) const {
    std::vector<int> lengths(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) lengths[i] = static_cast<int>(values[i].size());
    const std::vector<int> length_of = rows(lengths.data(), 1);
    std::vector<std::size_t> begin(length_of.size() + 1, 0);
    for (std::size_t i = 0; i < length_of.size(); ++i) begin[i + 1] = begin[i] + length_of[i];

    std::vector<std::vector<T>> outgoing(ranks_.size());
    for (int r = 0; r < ranks_.size(); ++r) {
      for (const int i : sent_[r]) {
        outgoing[r].insert(outgoing[r].end(), values[i].begin(), values[i].end());
      }
    }
    const Delivery<T> incoming = ranks_.exchange(outgoing);
    std::vector<T> result(begin.back());
    const T* next = incoming.items.data();
    for (const int row : arrived_.items) {
      std::copy_n(next, length_of[row], result.data() + begin[row]);
      next += length_of[row];
    }
    return result;
  }

 private:
  const Ranks& ranks_;
  std::vector<std::vector<int>> sent_;  ///< this rank's things by where they go
  Delivery<int> arrived_;               ///< rows of the block, in the order they come
};

}  // namespace limber
