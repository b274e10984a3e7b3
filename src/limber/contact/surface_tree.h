// A tree of boxes around the triangles of a surface: made once from the shape at rest, its boxes
// refitted to every other shape (Hauser et al. 2003, section 3.4.1; van den Bergen 1997). Where
// boxes overlap more than at rest a search only visits more of them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "limber/contact/bounds.h"
#include "limber/contact/rest_surface.h"

namespace limber {

class SurfaceTree {
 public:
  explicit SurfaceTree(const RestSurface& surface);

  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  /// Boxes of all nodes, as many as node_count(), for the vertices' places.
  template <class Place>
  void refit(const RestSurface& surface, const Place& place, std::span<Bounds> boxes) const {
    for (std::size_t k = nodes_.size(); k-- > 0;) {  // children come after their parents
      const Node& node = nodes_[k];
      Bounds box;
      for (int n = 0; n < node.count; ++n) {
        for (const int v : surface.triangle(order_[static_cast<std::size_t>(node.first + n)]))
          box.add(place(v));
      }
      if (node.count == 0) {
        box = boxes[k + 1];
        box.add(boxes[static_cast<std::size_t>(node.right)].low);
        box.add(boxes[static_cast<std::size_t>(node.right)].high);
      }
      boxes[k] = box;
    }
  }
  /// visit(triangle) for all triangles whose boxes are as near to x as `radius`, which visits may
  /// make smaller.
  template <class Visit>
  void near(std::span<const Bounds> boxes, const Vec3& x, const double& radius,
            const Visit& visit) const {
    search([&](int node) { return distance(boxes[static_cast<std::size_t>(node)], x) <= radius; },
           visit);
  }
  /// visit(triangle) for all triangles whose boxes meet the line from x along d (unit length) at
  /// most `length` away, which visits may make smaller.
  template <class Visit>
  void along(std::span<const Bounds> boxes, const Vec3& x, const Vec3& d, const double& length,
             const Visit& visit) const {
    search([&](int node) { return meets(boxes[static_cast<std::size_t>(node)], x, d, length); },
           visit);
  }

 private:
  static constexpr int kLeaf = 4;      // triangles
  static constexpr int kDeepest = 64;  // halving: more than any count of triangles needs
  struct Node {
    int first = 0, count = 0;  // of the leaf's triangles; 0: the next node is the left child
    int right = 0;
  };

  int build(const RestSurface& surface, int first, int last);
  [[nodiscard]] static double distance(const Bounds& box, const Vec3& x) {
    return (box.low - x).cwiseMax(x - box.high).cwiseMax(0).norm();
  }
  [[nodiscard]] static bool meets(const Bounds& box, const Vec3& x, const Vec3& d, double length);

  template <class Enter, class Visit>
  void search(const Enter& enter, const Visit& visit) const {
    std::array<int, kDeepest> waiting;
    std::size_t count = 0;
    waiting[count++] = 0;
    while (count > 0) {
      const int number = waiting[--count];
      if (!enter(number)) continue;
      const Node& node = nodes_[static_cast<std::size_t>(number)];
      for (int n = 0; n < node.count; ++n) visit(order_[static_cast<std::size_t>(node.first + n)]);
      if (node.count > 0) continue;
      waiting[count++] = node.right;
      waiting[count++] = number + 1;
    }
  }

  std::vector<Node> nodes_;
  std::vector<int> order_;  // of triangles, leaf by leaf
};

}  // namespace limber
