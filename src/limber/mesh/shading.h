// Normals of a moving surface, smooth over its bends and sharp along its creases.
//
// A corner is one vertex of one triangle, number 3·triangle + 0..2. Corners that meet in a vertex
// and share a smooth edge share a normal: the mean of their triangles' normals weighted by the
// angle at the corner (Thürmer & Wüthrich 1998), which does not depend on how flat parts were cut
// into triangles. Creases are where the surface's file has them, else they are found once, at rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "limber/mesh/tri_mesh.h"

namespace limber {

class Shading {
 public:
  explicit Shading(const TriMesh& surface);

  /// The number of normals: at least one a vertex, more along creases.
  [[nodiscard]] std::size_t normal_count() const { return normal_vertex_.size(); }
  /// For each corner its normal. Normal i < vertex count belongs to vertex i.
  [[nodiscard]] const std::vector<std::uint32_t>& corner_normals() const { return corner_normal_; }
  /// For each normal its vertex.
  [[nodiscard]] const std::vector<std::uint32_t>& normal_vertices() const { return normal_vertex_; }
  /// Whether some edge has but one triangle, so that the inside can be seen.
  [[nodiscard]] bool is_open() const { return open_; }

  /// Unit normals of the surface at `points` (x, y, z a vertex), three numbers for each of
  /// normal_count(). Where triangles are flat or missing: (0, 1, 0).
  void normals(std::span<const float> points, std::span<float> result) const;

 private:
  void take_from_file(const FileVertices& file, std::size_t vertex_count);

  std::vector<std::uint32_t> corner_vertex_;
  std::vector<std::uint32_t> corner_normal_;
  std::vector<std::uint32_t> normal_vertex_;
  bool open_ = false;
};

/// A surface as graphics hardware wants it, one normal and one texture coordinate a vertex:
/// vertices on creases and texture seams are there several times. They are those of the file where
/// the surface has them (FileVertices); else split vertex i < vertex count is vertex i and the
/// copies follow.
struct SplitSurface {
  std::vector<std::uint32_t> vertex;  ///< of the surface, for each split vertex
  /// Of the shading, for each split vertex; empty for a file without normals, which stands for
  /// flat triangles.
  std::vector<std::uint32_t> normal;
  std::vector<float> uv;               ///< two a split vertex, v up; empty where there are none
  std::vector<std::uint32_t> corners;  ///< for each corner its split vertex
};

[[nodiscard]] SplitSurface split(const TriMesh& surface, const Shading& shading);

/// The triangles of one material, as corners of a split surface, and the split vertices that they
/// take theirs from: `count` from `first` on.
struct MaterialPart {
  int material = 0;
  std::vector<std::uint32_t> corners;
  std::size_t first = 0;
  std::size_t count = 0;
};
/// One part a material, ascending, that share all vertices. With the vertices of a file one part
/// each time the material changes, with vertices of its own, so that both keep the file's order.
[[nodiscard]] std::vector<MaterialPart> parts_by_material(const TriMesh& surface,
                                                          const SplitSurface& split);

}  // namespace limber
