#include "limber/mesh/tetrahedralize/solid.h"

#include <algorithm>
#include <cmath>

#include "limber/mesh/union_find.h"

namespace limber {

namespace {
Triangles rows_with(const Soup& body, const Roles& roles, bool (*wanted)(Role)) {
  std::vector<int> rows;
  for (int f = 0; f < body.F.rows(); ++f) {
    if (wanted(roles.of[f])) rows.push_back(f);
  }
  return body.F(rows, Eigen::all);
}

Vec3 along(const Vec3& a, const Vec3& b, double t) { return a + t * (b - a); }
}  // namespace

Solid::Solid(const Soup& body, const Roles& roles) : test_(roles.test), triangles_(body.V, body.F) {
  if (test_ == InsideTest::flood_fill) {
    layered_ = triangles_;
    return;
  }
  const Triangles walls = rows_with(body, roles, [](Role r) { return r == Role::wall; });
  const Triangles sheets = rows_with(body, roles, [](Role r) { return r == Role::sheet; });
  winding_ = WindingNumber(body.V, walls);
  layered_ = TriangleTree(body.V, sheets);
  sealed_ = roles.sealed;
}

bool Solid::inside(const Vec3& p) const {
  if (sheet_radius_ > 0 && layered_.nearest(p, sheet_radius_).triangle >= 0) return true;
  return test_ == InsideTest::winding_number && winding_(p) > 0.5;
}

std::vector<bool> Solid::inside_nodes(const BackgroundGrid& grid, const Touching& touching) const {
  if (test_ == InsideTest::flood_fill) return flooded_nodes(grid, touching);
  const int count = static_cast<int>(grid.nodes.size());
  UnionFind alike(count);
  // Nodes of a tet that no triangle of a sealed wall touches lie on one side: ask once for all.
  for (std::size_t t = 0; sealed_ && t < grid.tets.size(); ++t) {
    if (touching.any(static_cast<int>(t))) continue;
    for (int c = 1; c < 4; ++c) alike.join(grid.tets[t][0], grid.tets[t][c]);
  }
  std::vector<bool> in(count);
  for (int n = 0; n < count; ++n) {
    const int first = alike.root(n);
    in[n] = first == n ? inside(grid.nodes[n]) : in[first];
  }
  return in;
}

/// Outside is what can be reached from the grid's border along edges that stay out of the layer and
/// cross no triangle.
std::vector<bool> Solid::flooded_nodes(const BackgroundGrid& grid, const Touching& touching) const {
  const int count = static_cast<int>(grid.nodes.size());
  std::vector<bool> in_layer(count);
  for (int n = 0; n < count; ++n) in_layer[n] = inside(grid.nodes[n]);
  UnionFind reach(count);
  Box box;
  for (const Vec3& p : grid.nodes) box.include(p);
  const auto on_border = [&](const Vec3& p) {
    return (p.array() <= box.low.array()).any() || (p.array() >= box.high.array()).any();
  };
  int outside = -1;
  for (int n = 0; n < count; ++n) {
    if (!on_border(grid.nodes[n])) continue;
    if (outside < 0) outside = n;
    reach.join(outside, n);
  }
  for (std::size_t t = 0; t < grid.tets.size(); ++t) {
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        const int a = grid.tets[t][i];
        const int b = grid.tets[t][j];
        if (in_layer[a] || in_layer[b] || reach.same(a, b)) continue;
        if (touching.any(static_cast<int>(t)) &&
            !triangles_.crossings(grid.nodes[a], grid.nodes[b]).empty())
          continue;
        reach.join(a, b);
      }
    }
  }
  std::vector<bool> in(count);
  for (int n = 0; n < count; ++n) in[n] = outside < 0 || !reach.same(n, outside);
  return in;
}

double Solid::crossing(const Vec3& in, const Vec3& out) const {
  const std::vector<Crossing> hits = triangles_.crossings(in, out);
  if (test_ == InsideTest::flood_fill) {
    // The layer's outer side lies beyond the last triangle, or beyond `in` where there is none.
    const double start = hits.empty() ? 0 : hits.back().at;
    return start + (1 - start) * layer_end(along(in, out, start), out);
  }
  if (sealed_ && hits.size() == 1) return hits[0].at;
  // Walls end exactly at triangles; elsewhere (holes, layers) by bisection.
  for (const Crossing& hit : hits) {
    if (inside(along(in, out, hit.at - 1e-4)) && !inside(along(in, out, hit.at + 1e-4))) {
      return hit.at;
    }
  }
  return bisect(in, out);
}

Vec3 Solid::onto_border(const Vec3& p, double reach) const {
  Vec3 border = p;
  if (test_ == InsideTest::winding_number) {
    const NearestTriangle wall = triangles_.nearest(p, reach);
    if (wall.triangle >= 0) {
      border = wall.point;
      reach = wall.distance;
    }
  }
  const NearestTriangle layer = layered_.nearest(p, sheet_radius_ + reach);
  if (layer.triangle < 0 || layer.distance <= 0) return border;
  if (std::abs(layer.distance - sheet_radius_) > reach) return border;
  return layer.point + sheet_radius_ / layer.distance * (p - layer.point);
}

/// Where the distance to the layered triangles grows to the layer's radius: false position, halving
/// the weight of a stale end (Illinois).
double Solid::layer_end(const Vec3& in, const Vec3& out) const {
  const auto depth = [&](double t) {
    return sheet_radius_ - layered_.nearest(along(in, out, t)).distance;
  };
  double t0 = 0;
  double t1 = 1;
  double d0 = depth(0);
  double d1 = depth(1);
  if (d0 <= 0) return 0;
  if (d1 >= 0) return 1;
  double t = 0;
  for (int i = 0; i < 8; ++i) {
    t = t0 + (t1 - t0) * d0 / (d0 - d1);
    const double d = depth(t);
    if (std::abs(d) < 1e-5 * sheet_radius_) break;
    if (d > 0) {
      t0 = t;
      d0 = d;
      d1 *= 0.5;
    } else {
      t1 = t;
      d1 = d;
      d0 *= 0.5;
    }
  }
  return t;
}

/// 2^-17 of an edge, below 1e-5.
double Solid::bisect(const Vec3& in, const Vec3& out) const {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 17; ++i) {
    const double middle = 0.5 * (low + high);
    (inside(along(in, out, middle)) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace limber
