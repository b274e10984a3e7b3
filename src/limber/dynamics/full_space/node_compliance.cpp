#include "limber/dynamics/full_space/node_compliance.h"

#include <algorithm>

namespace limber {

NodeCompliance::NodeCompliance(int size, int most_nodes)
    : most_(std::min(most_nodes, size / 3)),
      slots_(size / 3, -1),
      matrix_(3 * most_, 3 * most_),
      unit_(Vector::Zero(size)),
      moved_(size) {
  known_.reserve(most_);
}

int NodeCompliance::slot_of(int row, const Preconditioner& rest) {
  if (slots_[row] < 0 && static_cast<int>(known_.size()) < most_) learn(row, rest);
  return slots_[row];
}

void NodeCompliance::forget() {
  for (const int row : known_) slots_[row] = -1;
  known_.clear();
}

void NodeCompliance::learn(int row, const Preconditioner& rest) {
  const int slot = static_cast<int>(known_.size());
  slots_[row] = slot;
  known_.push_back(row);
  for (int c = 0; c < 3; ++c) {
    unit_[3 * row + c] = 1;
    rest.apply(unit_, moved_);
    unit_[3 * row + c] = 0;
    for (int other = 0; other <= slot; ++other) {
      const Eigen::Vector3f part = moved_.segment<3>(3 * known_[other]).cast<float>();
      matrix_.block<3, 1>(3 * other, 3 * slot + c) = part;
      matrix_.block<1, 3>(3 * slot + c, 3 * other) = part.transpose();
    }
  }
}

void NodeCompliance::archive(StateArchive& state, const Preconditioner& rest) {
  std::size_t count = known_.size();
  state.value(count);
  if (!state.is_loading()) {
    state.raw(known_.data(), count * sizeof(int));
    return;
  }
  // Usually the nodes known then are the first of those known now.
  for (std::size_t k = 0; k < count; ++k) {
    int row = 0;
    state.value(row);
    if (k < known_.size() && known_[k] == row) continue;
    while (known_.size() > k) {
      slots_[known_.back()] = -1;
      known_.pop_back();
    }
    learn(row, rest);
  }
  while (known_.size() > count) {
    slots_[known_.back()] = -1;
    known_.pop_back();
  }
}

}  // namespace limber
