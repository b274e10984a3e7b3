#include "limber/dynamics/local/awake_nodes.h"

#include <algorithm>

namespace limber {

AwakeNodes::AwakeNodes(int contact_nodes, const LocalOptions& options)
    : options_(options), places_(static_cast<std::size_t>(contact_nodes), -1) {
  most_ = options_.max_nodes = std::min(options_.max_nodes, contact_nodes);
  const auto most = static_cast<std::size_t>(options_.max_nodes);
  nodes_.reserve(most);
  untouched_.reserve(most);
  leaves_.reserve(most);
  pinned_.reserve(most);
}

void AwakeNodes::pin(std::span<const int> contact_nodes) {
  pinned_.clear();
  for (const int node : contact_nodes) {
    const bool known = std::find(pinned_.begin(), pinned_.end(), node) != pinned_.end();
    if (!known && static_cast<int>(pinned_.size()) < options_.max_nodes) pinned_.push_back(node);
  }
}

bool AwakeNodes::has_pinned() const {
  return std::all_of(pinned_.begin(), pinned_.end(), [&](int node) { return place(node) >= 0; });
}

int AwakeNodes::room(int rows) const {
  return std::min(std::max(most_, size()), std::max(size(), rows / 3) + 2);
}

bool AwakeNodes::drop_beyond(std::vector<int>& kept) {
  if (size() <= most_) return false;
  leaves_.assign(nodes_.size(), 0);
  int missing = size() - most_;
  for (std::size_t k = nodes_.size(); k > 0 && missing > 0; --k) {
    if (std::find(pinned_.begin(), pinned_.end(), nodes_[k - 1]) != pinned_.end()) continue;
    leaves_[k - 1] = 1;
    --missing;
  }
  drop(leaves_, kept);
  return true;
}

void AwakeNodes::pass(double seconds) {
  for (double& time : untouched_) time += seconds;
}

bool AwakeNodes::update(std::span<TouchedNode> touched, std::span<const char> calm, int room,
                        std::vector<int>& kept) {
  // Strongest first; equal ones by number, so that the choice does not depend on their order.
  std::sort(touched.begin(), touched.end(), [](const TouchedNode& a, const TouchedNode& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.node < b.node;
  });
  int wanted = 0;
  for (const TouchedNode& one : touched) {
    const int at = place(one.node);
    if (at >= 0) untouched_[static_cast<std::size_t>(at)] = 0;
    wanted += at < 0 ? 1 : 0;
  }
  for (const int node : pinned_) {
    const int at = place(node);
    if (at >= 0) untouched_[static_cast<std::size_t>(at)] = 0;
    wanted += at < 0 ? 1 : 0;
  }
  int missing = size() + wanted - room;
  leaves_.assign(nodes_.size(), 0);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    if (untouched_[k] == 0 || calm[k] == 0) continue;
    // Where there is no room, those that nothing touches leave at once.
    if (untouched_[k] < options_.release_time && missing <= 0) continue;
    leaves_[k] = 1;
    --missing;
  }
  bool changed = std::find(leaves_.begin(), leaves_.end(), 1) != leaves_.end();
  drop(leaves_, kept);
  const auto join = [&](int node) {
    if (size() >= std::min(room, most_) || place(node) >= 0) return;
    places_[static_cast<std::size_t>(node)] = size();
    nodes_.push_back(node);
    untouched_.push_back(0);
    kept.push_back(-1);
    changed = true;
  };
  for (const int node : pinned_) join(node);
  for (const TouchedNode& one : touched) join(one.node);
  return changed;
}

void AwakeNodes::drop(std::span<const char> leaves, std::vector<int>& kept) {
  kept.clear();
  std::size_t left = 0;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    places_[static_cast<std::size_t>(nodes_[k])] = leaves[k] != 0 ? -1 : static_cast<int>(left);
    if (leaves[k] != 0) continue;
    nodes_[left] = nodes_[k];
    untouched_[left] = untouched_[k];
    kept.push_back(static_cast<int>(k));
    ++left;
  }
  nodes_.resize(left);
  untouched_.resize(left);
}

void AwakeNodes::clear() {
  for (const int node : nodes_) places_[static_cast<std::size_t>(node)] = -1;
  nodes_.clear();
  untouched_.clear();
}

void AwakeNodes::archive(StateArchive& state) {
  if (state.is_loading()) {
    for (const int node : nodes_) places_[static_cast<std::size_t>(node)] = -1;
  }
  state.list(nodes_);
  state.list(untouched_);
  state.value(most_);
  for (int k = 0; k < size(); ++k)
    places_[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(k)])] = k;
}

}  // namespace limber
