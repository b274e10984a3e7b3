#include "limber/mesh/shading.h"

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

struct ShadedEdge {
  std::uint32_t low, high;  // vertices
  std::uint32_t from, to;   // corners at the start and the end, in the triangle's direction
  bool forward;             // runs from low to high
};

std::vector<ShadedEdge> sorted_shaded_edges(std::span<const std::uint32_t> corner_vertex) {
  std::vector<ShadedEdge> edges;
  edges.reserve(corner_vertex.size());
  for (std::uint32_t corner = 0; corner < corner_vertex.size(); ++corner) {
    const std::uint32_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    const std::uint32_t a = corner_vertex[corner];
    const std::uint32_t b = corner_vertex[next];
    if (a == b) continue;
    edges.push_back({std::min(a, b), std::max(a, b), corner, next, a < b});
  }
  std::sort(edges.begin(), edges.end(), [](const ShadedEdge& a, const ShadedEdge& b) {
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

SplitSurface split_as_in_file(const TriMesh& surface) {
  const FileVertices& file = surface.file;
  SplitSurface result;
  result.vertex.assign(file.vertex.begin(), file.vertex.end());
  result.normal.assign(file.normal.begin(), file.normal.end());
  result.corners.assign(file.corners.data(), file.corners.data() + file.corners.size());
  if (surface.corner_uv.rows() == 0 && surface.uv.rows() == 0) return result;
  result.uv.assign(2 * result.vertex.size(), 0.0F);
  for (std::size_t corner = 0; corner < result.corners.size(); ++corner) {
    const auto row = static_cast<Eigen::Index>(corner);
    const Eigen::RowVector2f uv = surface.corner_uv.rows() > 0
                                      ? surface.corner_uv.row(row)
                                      : surface.uv.row(surface.F.data()[corner]);
    result.uv[2 * result.corners[corner]] = uv[0];
    result.uv[2 * result.corners[corner] + 1] = uv[1];
  }
  return result;
}

}  // namespace

void Shading::take_from_file(const FileVertices& file, std::size_t vertex_count) {
  std::size_t count = vertex_count;
  for (const std::int32_t normal : file.normal) {
    count = std::max(count, static_cast<std::size_t>(normal) + 1);
  }
  normal_vertex_.resize(count);
  std::iota(normal_vertex_.begin(), normal_vertex_.end(), 0U);
  for (std::size_t i = 0; i < file.normal.size(); ++i) {
    normal_vertex_[static_cast<std::size_t>(file.normal[i])] =
        static_cast<std::uint32_t>(file.vertex[i]);
  }
  for (const std::int32_t corner : file.corners.reshaped<Eigen::RowMajor>()) {
    corner_normal_.push_back(static_cast<std::uint32_t>(file.normal[corner]));
  }
}

Shading::Shading(const TriMesh& surface)
    : corner_vertex_(surface.F.data(), surface.F.data() + surface.F.size()) {
  const std::vector<ShadedEdge> edges = sorted_shaded_edges(corner_vertex_);
  UnionFind sets(static_cast<int>(corner_vertex_.size()));  // of corners that share a normal
  for (std::size_t first = 0, last = 0; first < edges.size(); first = last) {
    const auto same = [&](const ShadedEdge& e) {
      return e.low == edges[first].low && e.high == edges[first].high;
    };
    for (last = first + 1; last < edges.size() && same(edges[last]);) ++last;
    if (last - first == 1) open_ = true;
    const ShadedEdge& a = edges[first];
    const ShadedEdge& b = edges[last - 1];
    // More than two triangles, or two that disagree on the outside, meet in a crease.
    if (last - first != 2 || a.forward == b.forward) continue;
    if (!bends_smoothly(triangle_normal(surface, a.from / 3), triangle_normal(surface, b.from / 3)))
      continue;
    sets.join(static_cast<int>(a.from), static_cast<int>(b.to));
    sets.join(static_cast<int>(a.to), static_cast<int>(b.from));
  }

  if (surface.is_as_in_file() && !surface.file.normal.empty()) {
    take_from_file(surface.file, static_cast<std::size_t>(surface.vertex_count()));
    return;
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
  if (surface.is_as_in_file()) return split_as_in_file(surface);
  if (surface.corner_uv.rows() > 0) return split_at_seams(surface, shading);
  SplitSurface result;
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

namespace {
/// Where parts take their vertices one behind the other, those that no triangle has stay with them,
/// so that all keep their numbers.
void keep_unused(std::vector<MaterialPart>& parts, std::size_t vertex_count) {
  for (std::size_t p = 1; p < parts.size(); ++p) {
    if (parts[p].first < parts[p - 1].first + parts[p - 1].count) return;
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::size_t end = p + 1 < parts.size() ? parts[p + 1].first : vertex_count;
    if (p == 0) parts[p].first = 0;
    parts[p].count = end - parts[p].first;
  }
}
}  // namespace

std::vector<MaterialPart> parts_by_material(const TriMesh& surface, const SplitSurface& split) {
  const bool as_in_file = surface.is_as_in_file();
  if (surface.face_materials.empty()) return {{0, split.corners, 0, split.vertex.size()}};
  std::vector<MaterialPart> parts;
  std::map<int, std::size_t> known;
  for (std::size_t triangle = 0; triangle < surface.face_materials.size(); ++triangle) {
    const int material = surface.face_materials[triangle];
    std::size_t part = parts.size() - 1;
    if (parts.empty() || parts.back().material != material) {
      const auto [entry, is_new] = known.try_emplace(material, parts.size());
      const bool opens = is_new || as_in_file;
      part = opens ? parts.size() : entry->second;
      if (opens) parts.push_back({material, {}, 0, split.vertex.size()});
    }
    const auto first = split.corners.begin() + static_cast<std::ptrdiff_t>(3 * triangle);
    std::vector<std::uint32_t>& corners = parts[part].corners;
    corners.insert(corners.end(), first, first + 3);
  }
  for (MaterialPart& part : parts) {
    if (!as_in_file || parts.size() == 1) continue;
    const auto [low, high] = std::minmax_element(part.corners.begin(), part.corners.end());
    part.first = *low;
    part.count = *high - *low + 1;
  }
  if (as_in_file) keep_unused(parts, split.vertex.size());
  if (!as_in_file) {
    std::sort(parts.begin(), parts.end(),
              [](const MaterialPart& a, const MaterialPart& b) { return a.material < b.material; });
  }
  return parts;
}

}  // namespace limber
