// The hands of everybody at the studio, with undo. Only pinned hands are remembered: a pull that
// was let go left nothing to undo.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "server/simulation.h"

namespace limber::studio {

using ClientId = std::uint64_t;

class HandList {
 public:
  [[nodiscard]] const std::vector<Hand>& hands() const { return hands_; }
  [[nodiscard]] bool can_undo() const { return !undo_.empty(); }
  [[nodiscard]] bool can_redo() const { return !redo_.empty(); }

  /// Throws Error when there are too many. Places with a known id replace.
  void place(ClientId client, const Hand& hand);
  /// False when there is no such hand. All moves from one that `begins` to the next are undone as
  /// one; those after a place belong to the place.
  bool move(int id, const Vec3& target, const Vec3& rotation, bool begins);
  void release(int id);
  void release_all();
  /// What a client held and did not pin when it left.
  void release_held_by(ClientId client);
  void undo();
  void redo();
  void clear();
  /// What there is now is what undo cannot go behind.
  void forget();

 private:
  using Pinned = std::vector<Hand>;
  [[nodiscard]] Pinned pinned() const;
  void remember(Pinned before);
  void restore(const Pinned& pinned);

  std::vector<Hand> hands_;
  std::map<int, ClientId> holders_;
  std::vector<Pinned> undo_, redo_;
};

}  // namespace limber::studio
