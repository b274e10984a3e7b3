#include "limber/mesh/tetrahedralize/sizing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

namespace {
/// Shifts the lattice off the surface's box by odd fractions of a leaf, so that faces of boxes do
/// not run exactly through nodes.
const Vec3 kShift(0.0137, 0.0211, 0.0173);
/// From one placement to the next; the last still leaves the surface two leaves of room.
const Vec3 kPlacementShift(0.1931, -0.2377, 0.1559);

/// A facing side counts when its normal leans back by more than this: cos 107°.
constexpr double kFacesBack = -0.3;

Octree forest_around(const Box& box, const Sizing& sizing, double margin) {
  const double unit = 0.5 * std::ldexp(sizing.cell, -sizing.finer_levels);
  const int root_level = sizing.finer_levels + sizing.coarser_levels;
  const double root = std::ldexp(sizing.cell, sizing.coarser_levels);
  std::array<int, 3> roots{};
  Vec3 origin;
  for (int c = 0; c < 3; ++c) {
    const double width = box.high[c] - box.low[c];
    const double needed = width + 2 * margin;
    roots[c] = std::max(1, static_cast<int>(std::ceil(needed / root)));
    origin[c] = box.centre()[c] - 0.5 * roots[c] * root +
                (kShift[c] + sizing.placement * kPlacementShift[c]) * sizing.cell;
  }
  return {origin, unit, roots, root_level};
}

/// Splits below `node` where the listed triangles ask for it; collects the leaves they end in.
void insert(Octree& octree, int node, const std::vector<std::int32_t>& listed,
            const TriangleTree& triangles, const std::vector<int>& levels,
            std::vector<std::int32_t>& leaves) {
  const Octree::Node n = octree.nodes()[node];
  int wanted = n.level;
  for (const std::int32_t f : listed) wanted = std::min(wanted, levels[f]);
  if (wanted == n.level) {
    leaves.push_back(node);
    return;
  }
  octree.split(node);
  const int child = octree.nodes()[node].child;
  std::vector<std::int32_t> below;
  for (int c = child; c < child + 8; ++c) {
    const Box box = octree.box(octree.nodes()[c]);
    below.clear();
    for (const std::int32_t f : listed) {
      if (touches_box(triangles[f], box)) below.push_back(f);
    }
    if (!below.empty()) insert(octree, c, below, triangles, levels, leaves);
  }
}

std::vector<std::int32_t> insert_all(Octree& octree, const TriangleTree& triangles,
                                     const std::vector<int>& levels) {
  std::vector<std::vector<std::int32_t>> at_root(octree.root_count());
  for (std::int32_t f = 0; f < triangles.size(); ++f) {
    octree.for_each_root_in(bounds(triangles[f]), [&](int root) {
      if (touches_box(triangles[f], octree.box(octree.nodes()[root]))) at_root[root].push_back(f);
    });
  }
  std::vector<std::int32_t> leaves;
  for (std::size_t root = 0; root < at_root.size(); ++root) {
    if (at_root[root].empty()) continue;
    insert(octree, static_cast<int>(root), at_root[root], triangles, levels, leaves);
  }
  return leaves;
}

/// Nodes near the surface move and drag all their tets along: those must be of one size too.
void refine_around(Octree& octree, const std::vector<std::int32_t>& leaves) {
  for (const std::int32_t leaf : leaves) {
    const Octree::Node n = octree.nodes()[leaf];
    const std::int32_t w = n.width();
    for (const Place& d : neighbour_offsets()) {
      octree.refine_at({n.low[0] + w * d[0], n.low[1] + w * d[1], n.low[2] + w * d[2]}, n.level);
    }
  }
}
}  // namespace

std::vector<double> thickness_behind(const Solid& solid, const Roles& roles) {
  const TriangleTree& triangles = solid.triangles();
  std::vector<double> thickness(triangles.size(), std::numeric_limits<double>::infinity());
  if (solid.test() == InsideTest::flood_fill) return thickness;
  const double reach = triangles.tree().nodes()[0].box.size().norm();
  for (int f = 0; f < triangles.size(); ++f) {
    const Vec3 n = area_vector(triangles[f]);
    const double length = n.norm();
    if (roles.of[f] != Role::wall || length <= 0) continue;
    const Vec3 outward = n / length;
    const Vec3 middle = (triangles[f][0] + triangles[f][1] + triangles[f][2]) / 3;
    const Crossing hit = triangles.first_crossing(middle, middle - reach * outward, f);
    if (hit.triangle < 0 || roles.of[hit.triangle] != Role::wall) continue;
    const Vec3 other = area_vector(triangles[hit.triangle]).normalized();
    if (other.dot(outward) < kFacesBack) thickness[f] = hit.at * reach;
  }
  return thickness;
}

std::vector<int> halvings_at(const Solid& solid, const std::vector<double>& thickness,
                             const Sizing& sizing) {
  const TriangleTree& triangles = solid.triangles();
  std::vector<int> halvings(triangles.size(), 0);
  for (int f = 0; f < triangles.size(); ++f) {
    const double needed = kCellsAcross * sizing.cell / thickness[f];
    if (needed > 1) halvings[f] = static_cast<int>(std::ceil(std::min(std::log2(needed), 30.0)));
    if (sizing.asked) {
      for (const Vec3& corner : triangles[f])
        halvings[f] = std::max(halvings[f], sizing.asked(corner));
    }
    halvings[f] = std::clamp(halvings[f], 0, sizing.finer_levels);
  }
  return halvings;
}

Octree make_octree(const Solid& solid, const std::vector<int>& halvings, const Sizing& sizing) {
  const TriangleTree& triangles = solid.triangles();
  Box box;
  if (!triangles.tree().empty()) box = triangles.tree().nodes()[0].box;
  // Room for the neighbourhood of surface leaves and one more, to be outside for certain.
  Octree octree = forest_around(box, sizing, 2.5 * sizing.cell + solid.sheet_radius());
  std::vector<int> levels(halvings.size());
  for (std::size_t f = 0; f < halvings.size(); ++f) levels[f] = sizing.finer_levels - halvings[f];
  refine_around(octree, insert_all(octree, triangles, levels));
  if (sizing.asked) {
    octree.refine_where([&](const Octree::Node& n) {
      const int asked = sizing.asked(octree.position(octree.centre(n)));
      return asked > 0 && n.level > sizing.finer_levels - asked;
    });
  }
  octree.balance();
  return octree;
}

}  // namespace limber
