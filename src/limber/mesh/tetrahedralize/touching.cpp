#include "limber/mesh/tetrahedralize/touching.h"

#include <algorithm>

namespace limber {

namespace {
/// Calls visit(leaf) for the leaves below `node` that the triangle touches.
template <class Visit>
void for_each_leaf(const Octree& octree, int node, const Triangle& t, double slack,
                   const Visit& visit) {
  const Octree::Node& n = octree.nodes()[node];
  if (!touches_box(t, octree.box(n).grown(slack))) return;
  if (n.leaf()) {
    visit(node);
    return;
  }
  for (int c = 0; c < 8; ++c) for_each_leaf(octree, n.child + c, t, slack, visit);
}
}  // namespace

Touching find_touching(const Octree& octree, const BackgroundGrid& grid,
                       const TriangleTree& triangles, double slack) {
  std::vector<TetProbe> probes;
  std::vector<std::int32_t> probe_of(grid.tets.size(), -1);
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  std::vector<std::int32_t> seen(grid.tets.size(), -1);
  for (std::int32_t f = 0; f < triangles.size(); ++f) {
    const Triangle& t = triangles[f];
    const Box box = bounds(t).grown(slack);
    octree.for_each_root_in(box, [&](int root) {
      for_each_leaf(octree, root, t, slack, [&](int leaf) {
        for (int i = grid.first_tet[leaf]; i < grid.first_tet[leaf + 1]; ++i) {
          const std::int32_t tet = grid.tets_of_leaf[i];
          if (seen[tet] == f) continue;
          seen[tet] = f;
          if (probe_of[tet] < 0) {
            probe_of[tet] = static_cast<std::int32_t>(probes.size());
            probes.emplace_back(grid.corners(tet));
          }
          if (probes[probe_of[tet]].touches(t, slack)) pairs.emplace_back(tet, f);
        }
      });
    });
  }
  Touching touching;
  touching.first.assign(grid.tets.size() + 1, 0);
  for (const auto& [tet, f] : pairs) ++touching.first[tet + 1];
  for (std::size_t t = 0; t < grid.tets.size(); ++t) touching.first[t + 1] += touching.first[t];
  touching.triangles.resize(pairs.size());
  std::vector<std::int32_t> next(touching.first.begin(), touching.first.end() - 1);
  for (const auto& [tet, f] : pairs) touching.triangles[next[tet]++] = f;
  return touching;
}

}  // namespace limber
