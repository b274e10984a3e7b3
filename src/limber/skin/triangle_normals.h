// Normals of a deformed surface from its triangles, one a vertex: right under any strain.
//
// Skin turns the rest normals by R(w), which leaves out strain. Here each triangle around a vertex
// adds its cross product over the squared lengths of the two sides that meet there,
//   n ~ Σ a×b / (|a|²|b|²)
// (Max 1999, "Weights for computing vertex normals from facet normals"), which is exact on a sphere
// whatever its triangles and needs no trigonometry.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace limber {

class TriangleNormals {
 public:
  /// Vertices that are done together.
  static constexpr int kBlock = 16;

  /// rest_positions: x y z a vertex; triangles: three vertices each, counter-clockwise from
  /// outside, any soup. Neither is kept. Throws Error when a triangle names a vertex that is not
  /// there.
  TriangleNormals(std::span<const double> rest_positions, std::span<const std::int32_t> triangles);

  /// positions and normals: 3·vertex_count, x y z of one vertex after the other. Unit length;
  /// (0, 1, 0) where all triangles are flat or missing. Any number of threads gives the same bits.
  /// Allocates nothing, and may be called from several threads at once. Throws Error when a length
  /// is wrong.
  void update(std::span<const float> positions, std::span<float> normals, int threads = 1) const;

  [[nodiscard]] int vertex_count() const { return vertex_count_; }

 private:
  int vertex_count_;
  float inverse_length_ = 1;          // 1 / mean side at rest: keeps the sums near one
  std::vector<std::int64_t> starts_;  // of each block's rows in rings_, and the end
  // Rows of kBlock numbers. Number l of row r is three times the r-th neighbour of the block's
  // vertex l, in order around it: each neighbour and the next span a triangle with the vertex. The
  // vertex itself stands where a fan ends, and fills up; sides of no length add nothing.
  std::vector<std::int32_t> rings_;
};

}  // namespace limber
