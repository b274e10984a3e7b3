// A mesh of a glTF file as arrays: its triangle primitives one after another.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/core/types.h"
#include "limber/mesh/gltf/gltf_document.h"

namespace limber {

/// Vertices are the file's, primitive by primitive, those that several share once: n of them.
/// Coordinates are the mesh's own, before any node, skin or morph target.
struct GltfMesh {
  Positions positions;
  std::vector<float> uv;         ///< 2n, v up as ours; NaN where a primitive has none
  std::vector<float> second_uv;  ///< 2n the same way, zero where a primitive has none; or empty
  std::vector<float> colours;    ///< 4n linear r g b a, white where a primitive has none; or empty
  std::vector<float> normals;    ///< 3n; empty unless every primitive has them
  std::vector<std::int64_t> corners;   ///< 3k vertices
  std::vector<std::size_t> materials;  ///< k, the file's numbers; kNone for the default
  std::vector<Positions> targets;      ///< offsets of each morph target, n×3
  /// The joints that carry a vertex and their shares, sorted by joint: `influences` a vertex,
  /// unused ones with share 0. Empty where some primitive has none.
  std::size_t influences = 0;
  std::vector<int> joints;
  std::vector<double> shares;
  std::size_t groups_left_out = 0;  ///< primitives of points or lines

  [[nodiscard]] int vertex_count() const { return static_cast<int>(positions.rows()); }
};

[[nodiscard]] GltfMesh read_gltf_mesh(const GltfDocument& document, std::size_t number);

/// For each vertex the first that stays with it whatever the pose, itself if there is none before:
/// glTF repeats vertices along seams and creases. Those that only happen to meet at rest, as lips
/// do, carry other shares or offsets and stay apart.
[[nodiscard]] std::vector<int> first_companions(const GltfMesh& mesh);

}  // namespace limber
