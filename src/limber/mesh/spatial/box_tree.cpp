#include "limber/mesh/spatial/box_tree.h"

#include <algorithm>
#include <numeric>

namespace limber {

BoxTree::BoxTree(const std::vector<Box>& boxes) : items_(boxes.size()) {
  if (boxes.empty()) return;
  std::iota(items_.begin(), items_.end(), 0);
  std::vector<Vec3> centres(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) centres[i] = boxes[i].centre();
  nodes_.reserve(boxes.size());
  nodes_.emplace_back();
  split(0, 0, static_cast<std::int32_t>(boxes.size()), boxes, centres);
}

void BoxTree::split(std::int32_t node, std::int32_t first, std::int32_t count,
                    const std::vector<Box>& boxes, const std::vector<Vec3>& centres) {
  Box box;
  Box middle;
  for (int i = first; i < first + count; ++i) {
    box.include(boxes[items_[i]]);
    middle.include(centres[items_[i]]);
  }
  nodes_[node].box = box;
  if (count <= kLeafItems) {
    nodes_[node].first = first;
    nodes_[node].count = count;
    return;
  }
  int axis = 0;
  middle.size().maxCoeff(&axis);
  const auto begin = items_.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count, [&](int a, int b) {
    return centres[a][axis] != centres[b][axis] ? centres[a][axis] < centres[b][axis] : a < b;
  });
  const auto child = static_cast<std::int32_t>(nodes_.size());
  nodes_[node].first = child;
  nodes_.resize(nodes_.size() + 2);
  split(child, first, count / 2, boxes, centres);
  split(child + 1, first + count / 2, count - count / 2, boxes, centres);
}

}  // namespace limber
