// A hash table from 64-bit keys to numbers, in one array.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace limber {

/// Open addressing, linear probing; keys are any value but ~0.
class FlatMap {
 public:
  explicit FlatMap(std::size_t expected = 16) { resize(std::bit_ceil(2 * expected + 16)); }

  /// The value of `key`, set to `value` if it had none; `added` tells which.
  std::int32_t insert(std::uint64_t key, std::int32_t value, bool& added) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = find_slot(key);
    added = slot.key == kFree;
    if (added) {
      slot = {key, value};
      ++count_;
    }
    return slot.value;
  }
  /// -1 when absent.
  [[nodiscard]] std::int32_t find(std::uint64_t key) const {
    const Slot& slot = const_cast<FlatMap*>(this)->find_slot(key);
    return slot.key == kFree ? -1 : slot.value;
  }
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key;
    std::int32_t value;
  };

  Slot& find_slot(std::uint64_t key) {
    std::uint64_t h = key * 0x9e3779b97f4a7c15U;
    h ^= h >> 32;
    std::size_t i = h & (slots_.size() - 1);
    while (slots_[i].key != kFree && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }
  void resize(std::size_t size) { slots_.assign(size, {kFree, -1}); }
  void grow() {
    std::vector<Slot> old;
    old.swap(slots_);
    resize(2 * old.size());
    for (const Slot& s : old) {
      if (s.key != kFree) find_slot(s.key) = s;
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

/// One key for a pair of numbers, whichever comes first.
inline std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
  const auto low = static_cast<std::uint32_t>(a < b ? a : b);
  const auto high = static_cast<std::uint32_t>(a < b ? b : a);
  return (static_cast<std::uint64_t>(high) << 32) | low;
}

}  // namespace limber
