#include "limber/mesh/coincident.h"

#include <bit>
#include <cstdint>

namespace limber {

namespace {
/// SplitMix64's finaliser: every input bit reaches every output bit.
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

std::uint64_t hash(const double* p) {
  std::uint64_t bits = 0;
  // Adding zero turns -0 into 0, which compares equal and so must hash equal.
  for (int c = 0; c < 3; ++c) bits = mixed(bits + std::bit_cast<std::uint64_t>(p[c] + 0.0));
  return bits;
}
}  // namespace

std::vector<int> first_coincident(const Positions& positions) {
  const auto count = static_cast<std::size_t>(positions.rows());
  std::vector<int> slots(std::bit_ceil(2 * count + 1), -1);
  const std::size_t mask = slots.size() - 1;
  std::vector<int> first(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double* const p = positions.data() + 3 * i;
    std::size_t slot = hash(p) & mask;
    while (slots[slot] >= 0) {
      const double* const other = positions.data() + 3 * static_cast<std::size_t>(slots[slot]);
      if (p[0] == other[0] && p[1] == other[1] && p[2] == other[2]) break;
      slot = (slot + 1) & mask;
    }
    if (slots[slot] < 0) slots[slot] = static_cast<int>(i);
    first[i] = slots[slot];
  }
  return first;
}

int duplicate_count(const Positions& positions) {
  const std::vector<int> first = first_coincident(positions);
  int duplicates = 0;
  for (std::size_t i = 0; i < first.size(); ++i) duplicates += first[i] != static_cast<int>(i);
  return duplicates;
}

}  // namespace limber
