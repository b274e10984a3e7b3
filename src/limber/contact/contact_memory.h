// What contacts carried in the last step: a start for the next one, and who comes first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "limber/core/state_archive.h"
#include "limber/core/types.h"

namespace limber {

struct RememberedContact {
  std::int32_t a = 0, b = 0;
  std::uint32_t feature = 0;
  float normal_impulse = 0;                                   // N s, of a substep
  Eigen::Vector3f tangent_impulse = Eigen::Vector3f::Zero();  // world, of a substep

  void archive(StateArchive& state) {
    state.value(a);
    state.value(b);
    state.value(feature);
    state.value(normal_impulse);
    state.numbers(tangent_impulse);
  }
};

/// Sorted by pair and feature.
class ContactMemory {
 public:
  [[nodiscard]] std::span<const RememberedContact> of_pair(int a, int b) const {
    const auto less = [](const RememberedContact& x, const std::pair<int, int>& pair) {
      return x.a != pair.first ? x.a < pair.first : x.b < pair.second;
    };
    const auto first = std::lower_bound(list_.begin(), list_.end(), std::pair(a, b), less);
    auto last = first;
    while (last != list_.end() && last->a == a && last->b == b) ++last;
    return all().subspan(static_cast<std::size_t>(first - list_.begin()),
                         static_cast<std::size_t>(last - first));
  }
  [[nodiscard]] std::span<const RememberedContact> all() const { return list_; }

  /// The next list takes the place of this one when it is complete.
  void begin() { next_.clear(); }
  void add(const RememberedContact& contact) { next_.push_back(contact); }
  void finish() {
    std::sort(next_.begin(), next_.end(), [](const auto& x, const auto& y) {
      return std::tie(x.a, x.b, x.feature) < std::tie(y.a, y.b, y.feature);
    });
    std::swap(list_, next_);
  }
  /// Forgets all contacts of a participant.
  void forget(int participant) {
    std::erase_if(list_, [&](const RememberedContact& contact) {
      return contact.a == participant || contact.b == participant;
    });
  }

  void archive(StateArchive& state) { state.each(list_); }

 private:
  std::vector<RememberedContact> list_, next_;
};

/// The contact of that feature in a pair's list, or null.
[[nodiscard]] inline const RememberedContact* remembered(std::span<const RememberedContact> pair,
                                                         std::uint32_t feature) {
  const auto found = std::lower_bound(
      pair.begin(), pair.end(), feature,
      [](const RememberedContact& x, std::uint32_t value) { return x.feature < value; });
  return found != pair.end() && found->feature == feature ? &*found : nullptr;
}

}  // namespace limber
