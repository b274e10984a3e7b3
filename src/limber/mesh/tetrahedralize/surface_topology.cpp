#include "limber/mesh/tetrahedralize/surface_topology.h"

#include <algorithm>
#include <cstdint>

#include "limber/mesh/spatial/triangle_tests.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {
/// One side of a triangle, by its smaller and larger vertex.
struct Side {
  std::int32_t low;
  std::int32_t high;
  std::int32_t triangle;
  bool ascending;  ///< the triangle runs from low to high
  bool operator<(const Side& o) const {
    return low != o.low ? low < o.low : high != o.high ? high < o.high : triangle < o.triangle;
  }
  [[nodiscard]] bool same_edge(const Side& o) const { return low == o.low && high == o.high; }
};

std::vector<Side> sorted_sides(const Triangles& F) {
  std::vector<Side> sides;
  sides.reserve(3 * F.rows());
  for (int f = 0; f < F.rows(); ++f) {
    for (int c = 0; c < 3; ++c) {
      const std::int32_t u = F(f, c);
      const std::int32_t v = F(f, (c + 1) % 3);
      sides.push_back({std::min(u, v), std::max(u, v), f, u < v});
    }
  }
  std::sort(sides.begin(), sides.end());
  return sides;
}

/// Calls visit(first side, how many) for every edge.
template <class Visit>
void for_each_edge(const std::vector<Side>& sides, const Visit& visit) {
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].same_edge(sides[i])) ++end;
    visit(&sides[i], static_cast<int>(end - i));
    i = end;
  }
}

struct Link {
  std::int32_t triangle = -1;
  bool agrees = true;  ///< both run through the common edge in opposite directions
};

/// Up to three neighbours across edges of exactly two triangles.
std::vector<std::array<Link, 3>> links_of(const std::vector<Side>& sides, int triangles) {
  std::vector<std::array<Link, 3>> links(triangles);
  std::vector<std::uint8_t> used(triangles, 0);
  for_each_edge(sides, [&](const Side* s, int count) {
    if (count != 2) return;
    const bool agrees = s[0].ascending != s[1].ascending;
    links[s[0].triangle][used[s[0].triangle]++] = {s[1].triangle, agrees};
    links[s[1].triangle][used[s[1].triangle]++] = {s[0].triangle, agrees};
  });
  return links;
}

/// Walks each patch from one triangle, turning the others to agree with it; then turns the whole
/// patch where that serves more of the area.
void find_patches(Soup& soup, const std::vector<std::array<Link, 3>>& links,
                  SoupTopology& topology) {
  const int count = static_cast<int>(soup.F.rows());
  topology.patch_of.assign(count, -1);
  std::vector<bool> turned(count, false);
  for (int seed = 0; seed < count; ++seed) {
    if (topology.patch_of[seed] >= 0) continue;
    std::vector<int> patch = {seed};
    topology.patch_of[seed] = topology.patches;
    bool one_sided = false;
    double turned_area = 0;
    double kept_area = 0;
    for (std::size_t i = 0; i < patch.size(); ++i) {
      const int f = patch[i];
      (turned[f] ? turned_area : kept_area) += area_vector(triangle(soup.V, soup.F, f)).norm();
      for (const Link& link : links[f]) {
        if (link.triangle < 0) continue;
        const bool turn = turned[f] == link.agrees;
        if (topology.patch_of[link.triangle] < 0) {
          topology.patch_of[link.triangle] = topology.patches;
          turned[link.triangle] = turn;
          patch.push_back(link.triangle);
        } else if (turned[link.triangle] != turn) {
          one_sided = true;
        }
      }
    }
    if (turned_area > kept_area) {
      for (const int f : patch) turned[f] = !turned[f];
    }
    topology.one_sided_patches += one_sided ? 1 : 0;
    ++topology.patches;
  }
  for (int f = 0; f < count; ++f) {
    if (!turned[f]) continue;
    std::swap(soup.F(f, 1), soup.F(f, 2));
    ++topology.turned_triangles;
  }
}
}  // namespace

SoupTopology find_topology(Soup& soup) {
  SoupTopology topology;
  const int triangles = static_cast<int>(soup.F.rows());
  const int vertices = static_cast<int>(soup.V.rows());
  const std::vector<Side> sides = sorted_sides(soup.F);

  find_patches(soup, links_of(sides, triangles), topology);

  UnionFind vertex_sets(vertices);
  for (int f = 0; f < triangles; ++f) {
    vertex_sets.join(soup.F(f, 0), soup.F(f, 1));
    vertex_sets.join(soup.F(f, 0), soup.F(f, 2));
  }
  const auto [part_of_vertex, parts] = vertex_sets.numbered();
  topology.parts = parts;
  for (int f = 0; f < triangles; ++f) topology.part_of.push_back(part_of_vertex[soup.F(f, 0)]);

  topology.closed.assign(topology.patches, true);
  topology.part_open.assign(topology.parts, false);
  UnionFind border(vertices);
  std::vector<bool> on_border(vertices, false);
  for_each_edge(sides, [&](const Side* s, int count) {
    if (count == 2) return;
    for (int i = 0; i < count; ++i) topology.closed[topology.patch_of[s[i].triangle]] = false;
    if (count > 2) {
      ++topology.non_manifold_edges;
      return;
    }
    ++topology.boundary_edges;
    topology.part_open[topology.part_of[s->triangle]] = true;
    border.join(s->low, s->high);
    on_border[s->low] = on_border[s->high] = true;
  });
  for (int v = 0; v < vertices; ++v) topology.holes += on_border[v] && border.root(v) == v ? 1 : 0;
  return topology;
}

}  // namespace limber
