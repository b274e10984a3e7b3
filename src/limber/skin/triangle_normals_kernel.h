// The SIMD kernel behind TriangleNormals.
#pragma once

#include <cstdint>

namespace limber {

/// What one update reads and writes; no ownership. See TriangleNormals for the rows.
struct NormalsJob {
  const std::int64_t* starts = nullptr;
  const std::int32_t* rings = nullptr;
  const float* positions = nullptr;  // v×3
  float* normals = nullptr;          // v×3
  float inverse_length = 1;
  int vertex_count = 0;
};

/// Normals of the vertices of the blocks first, …, last−1.
void triangle_normals_blocks(const NormalsJob& job, int first, int last);

}  // namespace limber
