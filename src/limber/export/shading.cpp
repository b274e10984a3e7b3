#include "limber/export/shading.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "limber/mesh/union_find.h"

namespace limber {

namespace {

/// Edges bent by more than this at rest are creases: keeps the edges of boxes, and smooths a
/// cylinder of eight sides (45°) and coarse spheres.
constexpr double kCreaseCosine = 0.6427876096865394;  // cos 50°

struct HalfEdge {
  std::uint32_t low, high;  // vertices
  std::uint32_t from, to;   // corners at the start and the end, in the triangle's direction
  bool forward;             // runs from low to high
};

std::vector<HalfEdge> sorted_half_edges(std::span<const std::uint32_t> corner_vertex) {
  std::vector<HalfEdge> edges;
  edges.reserve(corner_vertex.size());
  for (std::uint32_t corner = 0; corner < corner_vertex.size(); ++corner) {
    const std::uint32_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    const std::uint32_t a = corner_vertex[corner];
    const std::uint32_t b = corner_vertex[next];
    if (a == b) continue;
    edges.push_back({std::min(a, b), std::max(a, b), corner, next, a < b});
  }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::tie(a.low, a.high, a.from) < std::tie(b.low, b.high, b.from);
  });
  return edges;
}

Vec3 triangle_normal(const TriMesh& surface, std::uint32_t triangle) {
  const auto corner = [&](int c) -> Vec3 { return surface.V.row(surface.F(triangle, c)); };
  return (corner(1) - corner(0)).cross(corner(2) - corner(0)).stableNormalized();
}

/// Flat triangles have no direction: they bend with any neighbour.
bool bends_smoothly(const Vec3& a, const Vec3& b) {
  return a.isZero() || b.isZero() || a.dot(b) >= kCreaseCosine;
}

/// Corners with the same normal and the same texture coordinates share a vertex. The surface's own
/// vertices come first, in their order, then the copies.
SplitSurface split_at_seams(const TriMesh& surface, const Shading& shading) {
  const auto own = static_cast<std::size_t>(surface.vertex_count());
  SplitSurface result;
  result.vertex.assign(shading.normal_vertices().begin(),
                       shading.normal_vertices().begin() + surface.vertex_count());
  result.normal = result.vertex;  // normal i < vertex count belongs to vertex i
  result.uv.assign(2 * own, 0.0F);
  std::vector<bool> taken(own, false);
  std::map<std::tuple<std::uint32_t, float, float>, std::uint32_t> known;
  for (std::size_t corner = 0; corner < shading.corner_normals().size(); ++corner) {
    const auto row = static_cast<Eigen::Index>(corner);
    const std::uint32_t normal = shading.corner_normals()[corner];
    const bool first = normal < own && !taken[normal];
    const auto next = first ? normal : static_cast<std::uint32_t>(result.vertex.size());
    const auto [entry, is_new] =
        known.try_emplace({normal, surface.corner_uv(row, 0), surface.corner_uv(row, 1)}, next);
    if (first) {
      taken[normal] = true;
      result.uv[2 * normal] = surface.corner_uv(row, 0);
      result.uv[2 * normal + 1] = surface.corner_uv(row, 1);
    } else if (is_new) {
      result.vertex.push_back(shading.normal_vertices()[normal]);
      result.normal.push_back(normal);
      result.uv.insert(result.uv.end(), {surface.corner_uv(row, 0), surface.corner_uv(row, 1)});
    }
    result.corners.push_back(entry->second);
  }
  return result;
}

}  // namespace

Shading::Shading(const TriMesh& surface)
    : corner_vertex_(surface.F.data(), surface.F.data() + surface.F.size()) {
  const std::vector<HalfEdge> edges = sorted_half_edges(corner_vertex_);
  UnionFind sets(static_cast<int>(corner_vertex_.size()));  // of corners that share a normal
  for (std::size_t first = 0, last = 0; first < edges.size(); first = last) {
    const auto same = [&](const HalfEdge& e) {
      return e.low == edges[first].low && e.high == edges[first].high;
    };
    for (last = first + 1; last < edges.size() && same(edges[last]);) ++last;
    if (last - first == 1) open_ = true;
    const HalfEdge& a = edges[first];
    const HalfEdge& b = edges[last - 1];
    // More than two triangles, or two that disagree on the outside, meet in a crease.
    if (last - first != 2 || a.forward == b.forward) continue;
    if (!bends_smoothly(triangle_normal(surface, a.from / 3), triangle_normal(surface, b.from / 3)))
      continue;
    sets.join(static_cast<int>(a.from), static_cast<int>(b.to));
    sets.join(static_cast<int>(a.to), static_cast<int>(b.from));
  }

  constexpr std::uint32_t none = ~0U;
  normal_vertex_.resize(static_cast<std::size_t>(surface.vertex_count()));
  std::iota(normal_vertex_.begin(), normal_vertex_.end(), 0U);
  std::vector<bool> vertex_has_normal(normal_vertex_.size(), false);
  std::vector<std::uint32_t> normal_of_root(corner_vertex_.size(), none);
  corner_normal_.resize(corner_vertex_.size());
  for (std::uint32_t corner = 0; corner < corner_vertex_.size(); ++corner) {
    std::uint32_t& normal =
        normal_of_root[static_cast<std::size_t>(sets.root(static_cast<int>(corner)))];
    const std::uint32_t vertex = corner_vertex_[corner];
    if (normal == none && !vertex_has_normal[vertex]) {
      normal = vertex;
      vertex_has_normal[vertex] = true;
    } else if (normal == none) {
      normal = static_cast<std::uint32_t>(normal_vertex_.size());
      normal_vertex_.push_back(vertex);
    }
    corner_normal_[corner] = normal;
  }
}

void Shading::normals(std::span<const float> points, std::span<float> result) const {
  // In double: squares of coordinates must neither overflow nor vanish.
  const auto point = [&](std::uint32_t corner) -> Vec3 {
    const float* p = points.data() + 3 * std::size_t{corner_vertex_[corner]};
    return {p[0], p[1], p[2]};
  };
  std::fill(result.begin(), result.end(), 0.0F);
  for (std::uint32_t first = 0; first < corner_vertex_.size(); first += 3) {
    const Vec3 side[3] = {point(first + 1) - point(first), point(first + 2) - point(first + 1),
                          point(first) - point(first + 2)};
    const Vec3 area = side[0].cross(side[1]);
    const double size = area.norm();
    if (!(size > 0)) continue;
    for (int c = 0; c < 3; ++c) {
      const double angle = std::atan2(size, -side[c].dot(side[(c + 2) % 3]));
      Eigen::Map<Eigen::Vector3f> normal(result.data() +
                                         3 * std::size_t{corner_normal_[first + c]});
      normal += (area * (angle / size)).cast<float>();
    }
  }
  for (std::size_t i = 0; i < normal_count(); ++i) {
    Eigen::Map<Eigen::Vector3f> normal(result.data() + 3 * i);
    const float size = normal.norm();
    // Opposite triangles can cancel to rounding error, which has no direction worth showing.
    normal = size > 1e-6F ? Eigen::Vector3f(normal / size) : Eigen::Vector3f::UnitY();
  }
}

SplitSurface split(const TriMesh& surface, const Shading& shading) {
  SplitSurface result;
  if (surface.corner_uv.rows() > 0) return split_at_seams(surface, shading);
  result.normal.resize(shading.normal_count());
  std::iota(result.normal.begin(), result.normal.end(), 0U);
  result.vertex = shading.normal_vertices();
  result.corners = shading.corner_normals();
  for (std::size_t i = 0; surface.uv.rows() > 0 && i < result.vertex.size(); ++i) {
    result.uv.push_back(surface.uv(result.vertex[i], 0));
    result.uv.push_back(surface.uv(result.vertex[i], 1));
  }
  return result;
}

}  // namespace limber
