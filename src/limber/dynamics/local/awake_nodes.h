// Which contact nodes have detail: those that are touched join, calm ones that nothing touches any
// more leave (García et al. 2010, "Local Model", with the time since the last touch in place of
// counting steps).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "limber/core/state_archive.h"
#include "limber/dynamics/local/local_options.h"

namespace limber {

/// A contact node that rows act on, and how strongly.
struct TouchedNode {
  int node = 0;
  double weight = 0;
};

class AwakeNodes {
 public:
  AwakeNodes(int contact_nodes, const LocalOptions& options);

  [[nodiscard]] int size() const { return static_cast<int>(nodes_.size()); }
  /// In the order they came.
  [[nodiscard]] std::span<const int> nodes() const { return nodes_; }
  /// The place among nodes(), or -1.
  [[nodiscard]] int place(int contact_node) const { return places_[contact_node]; }
  /// How many there may be once so many rows (three a contact) act: one a contact and two more, so
  /// that rows stay short, and never more than the options say.
  [[nodiscard]] int room(int rows) const;

  /// These join first and never leave; those of before are as others again.
  void pin(std::span<const int> contact_nodes);
  /// Whether all that are pinned are awake.
  [[nodiscard]] bool has_pinned() const;

  /// The most there may be from now on, at most max_nodes: room() goes by it at once.
  void want(int most) { most_ = std::clamp(most, 0, options_.max_nodes); }
  [[nodiscard]] int most() const { return most_; }
  /// Those beyond it, the last to come first, leave at once, pinned ones excepted; `kept` as in
  /// update().
  bool drop_beyond(std::vector<int>& kept);

  void pass(double seconds);
  /// `touched`: sorted here. `calm`: of each of nodes(), whether its detail is too small to be
  /// seen. `room`: the most there may be. Those left take part in `kept` by their former place, -1
  /// for new ones; true when anything changed.
  bool update(std::span<TouchedNode> touched, std::span<const char> calm, int room,
              std::vector<int>& kept);
  void clear();
  void archive(StateArchive& state);

 private:
  void drop(std::span<const char> leaves, std::vector<int>& kept);

  LocalOptions options_;
  int most_;
  std::vector<int> nodes_;
  std::vector<double> untouched_;  // s, since each was touched
  std::vector<int> places_;        // of all contact nodes
  std::vector<int> pinned_;
  std::vector<char> leaves_;
};

}  // namespace limber
