// The hands of everybody at the studio. Pinned ones belong to the project; a pull that was let go
// leaves nothing behind.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "server/simulation.h"

namespace limber::studio {

using ClientId = std::uint64_t;

class HandList {
 public:
  [[nodiscard]] const std::vector<Hand>& hands() const { return hands_; }
  [[nodiscard]] std::vector<Hand> pinned() const;
  [[nodiscard]] bool is_pinned(int id) const;
  /// The body that this hand holds and no other does.
  [[nodiscard]] std::optional<int> held_alone(int id) const;

  /// Throws Error when there are too many. Places with a known id replace.
  void place(ClientId client, const Hand& hand);
  /// False when there is no such hand.
  bool move(int id, const Vec3& target, const Vec3& rotation);
  void release(int id);
  /// What a client held and did not pin when it left.
  void release_held_by(ClientId client);
  /// Those instead of the pinned ones.
  void set_pinned(const std::vector<Hand>& pinned);
  /// Bodies have other numbers now; hands on those without one (-1) let go.
  void renumber(const std::function<int(int body)>& number);
  void clear();

 private:
  std::vector<Hand> hands_;
  std::map<int, ClientId> holders_;
};

}  // namespace limber::studio
