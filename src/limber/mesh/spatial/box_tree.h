// A binary tree of boxes over any set of items, for the questions that meshing asks: which items
// may lie here, which is nearest.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/mesh/spatial/box.h"

namespace limber {

/// Built once, O(n log n), split at the median of the longest side: the depth is at most
/// log2(n) + 1 whatever the items, so a fixed stack is enough for every walk.
class BoxTree {
 public:
  struct Node {
    Box box;
    std::int32_t first = 0;  ///< leaf: first place in items(); inner: the left child, right is +1
    std::int32_t count = 0;  ///< items of a leaf; 0 for an inner node
    [[nodiscard]] bool leaf() const { return count > 0; }
  };

  BoxTree() = default;
  explicit BoxTree(const std::vector<Box>& boxes);

  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  /// Children follow their parents; node 0 is the root.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// Numbers of the boxes given, leaf by leaf.
  [[nodiscard]] const std::vector<std::int32_t>& items() const { return items_; }

  /// Calls visit(item) for the items of every leaf whose box passes `enter(box)`.
  template <class Enter, class Visit>
  void walk(const Enter& enter, const Visit& visit) const {
    if (empty()) return;
    std::int32_t stack[kStack];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Node& node = nodes_[stack[--top]];
      if (!enter(node.box)) continue;
      if (node.leaf()) {
        for (int i = node.first; i < node.first + node.count; ++i) visit(items_[i]);
      } else {
        stack[top++] = node.first + 1;
        stack[top++] = node.first;
      }
    }
  }

  /// Nearest boxes first: visit(item) returns the squared distance beyond which nothing matters.
  template <class Visit>
  void walk_nearest(const Vec3& p, double squared_limit, const Visit& visit) const {
    if (empty()) return;
    struct Entry {
      std::int32_t node;
      double squared_distance;
    };
    Entry stack[kStack];
    int top = 0;
    stack[top++] = {0, nodes_[0].box.squared_distance(p)};
    while (top > 0) {
      const Entry entry = stack[--top];
      if (entry.squared_distance > squared_limit) continue;
      const Node& node = nodes_[entry.node];
      if (node.leaf()) {
        for (int i = node.first; i < node.first + node.count; ++i) {
          squared_limit = std::min(squared_limit, visit(items_[i]));
        }
        continue;
      }
      Entry left{node.first, nodes_[node.first].box.squared_distance(p)};
      Entry right{node.first + 1, nodes_[node.first + 1].box.squared_distance(p)};
      if (left.squared_distance < right.squared_distance) std::swap(left, right);
      stack[top++] = left;
      stack[top++] = right;
    }
  }

 private:
  static constexpr int kStack = 80;
  static constexpr int kLeafItems = 4;

  void split(std::int32_t node, std::int32_t first, std::int32_t count,
             const std::vector<Box>& boxes, const std::vector<Vec3>& centres);

  std::vector<Node> nodes_;
  std::vector<std::int32_t> items_;
};

}  // namespace limber
