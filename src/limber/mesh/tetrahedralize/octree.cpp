#include "limber/mesh/tetrahedralize/octree.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "limber/core/error.h"

namespace limber {

namespace {
std::array<Place, 26> make_offsets() {
  std::vector<Place> all;
  for (std::int32_t z = -1; z <= 1; ++z) {
    for (std::int32_t y = -1; y <= 1; ++y) {
      for (std::int32_t x = -1; x <= 1; ++x) {
        if (x != 0 || y != 0 || z != 0) all.push_back({x, y, z});
      }
    }
  }
  const auto steps = [](const Place& p) {
    return std::abs(p[0]) + std::abs(p[1]) + std::abs(p[2]);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Place& a, const Place& b) { return steps(a) < steps(b); });
  std::array<Place, 26> offsets{};
  std::copy(all.begin(), all.end(), offsets.begin());
  return offsets;
}
}  // namespace

const std::array<Place, 26>& neighbour_offsets() {
  static const std::array<Place, 26> offsets = make_offsets();
  return offsets;
}

Octree::Octree(const Vec3& origin, double unit, const std::array<int, 3>& roots, int root_level)
    : origin_(origin), unit_(unit), roots_(roots), root_level_(root_level) {
  const std::int32_t width = 2 << root_level;
  for (int k = 0; k < roots[2]; ++k) {
    for (int j = 0; j < roots[1]; ++j) {
      for (int i = 0; i < roots[0]; ++i) {
        Node node;
        node.low = {i * width, j * width, k * width};
        node.level = root_level;
        nodes_.push_back(node);
      }
    }
  }
}

int Octree::leaf_at(const Place& place) const {
  const int shift = root_level_ + 1;
  for (int c = 0; c < 3; ++c) {
    if (place[c] < 0 || (place[c] >> shift) >= roots_[c]) return -1;
  }
  int n = (place[0] >> shift) + roots_[0] * ((place[1] >> shift) + roots_[1] * (place[2] >> shift));
  while (!nodes_[n].leaf()) {
    const int bit = nodes_[n].level;  // a child is 2^level units wide
    n = nodes_[n].child + ((place[0] >> bit) & 1) + 2 * ((place[1] >> bit) & 1) +
        4 * ((place[2] >> bit) & 1);
  }
  return n;
}

int Octree::leaf_at(const Vec3& position) const {
  Place place{};
  for (int c = 0; c < 3; ++c) {
    const double x = std::floor((position[c] - origin_[c]) / unit_);
    if (!(x >= 0) || x > 2e9) return -1;
    place[c] = static_cast<std::int32_t>(x);
  }
  return leaf_at(place);
}

void Octree::split(int node) {
  if (nodes_.size() > kMostNodes) {
    throw Error("the lattice would have more than " + std::to_string(kMostNodes) + " cells",
                "tetrahedralize", "use fewer cells or less refinement");
  }
  const auto child = static_cast<std::int32_t>(nodes_.size());
  nodes_[node].child = child;
  const Node parent = nodes_[node];
  const std::int32_t half = parent.width() / 2;
  for (int i = 0; i < 8; ++i) {
    Node n;
    n.level = parent.level - 1;
    n.low = {parent.low[0] + half * (i & 1), parent.low[1] + half * ((i >> 1) & 1),
             parent.low[2] + half * (i >> 2)};
    nodes_.push_back(n);
  }
}

void Octree::refine_at(const Place& place, int level) {
  for (int n = leaf_at(place); n >= 0 && nodes_[n].level > level; n = leaf_at(place)) split(n);
}

void Octree::refine_where(const std::function<bool(const Node&)>& wants) {
  // Children are appended, so the sweep meets them too.
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].leaf() && nodes_[n].level > 0 && wants(nodes_[n])) split(static_cast<int>(n));
  }
}

void Octree::balance() {
  std::vector<std::int32_t> pending;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].leaf()) pending.push_back(static_cast<std::int32_t>(n));
  }
  while (!pending.empty()) {
    const int n = pending.back();
    pending.pop_back();
    if (!nodes_[n].leaf()) continue;
    const Node node = nodes_[n];
    for (int i = 0; i < 18; ++i) {
      const Place& d = neighbour_offsets()[i];
      const std::int32_t w = node.width();
      const Place beside = {node.low[0] + w * d[0], node.low[1] + w * d[1], node.low[2] + w * d[2]};
      for (int m = leaf_at(beside); m >= 0 && nodes_[m].level > node.level + 1;
           m = leaf_at(beside)) {
        split(m);
        for (int c = 0; c < 8; ++c) pending.push_back(nodes_[m].child + c);
      }
    }
  }
}

}  // namespace limber
