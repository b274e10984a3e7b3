// Quads around the grid edges that a surface crosses.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "limber/mesh/characters/implicit.h"

namespace limber {

/// Cubes of side `cell`, `counts` of them, from `origin`.
struct Grid {
  Vec3 origin = Vec3::Zero();
  double cell = 0;
  std::array<int, 3> counts{};
};

struct QuadMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::int32_t, 4>> quads;  ///< counter-clockwise seen from outside
};

/// What to take the solid's word for: where its steepness says that the surface is far, samples are
/// left out. A solid steeper than it says then gets holes.
enum class Trust { steepness, nothing };

/// The solid must lie inside the grid. Where a solid is clipped, what lies well beyond the clip is
/// left out.
[[nodiscard]] QuadMesh surface_nets(const Implicit& solid, const Grid& grid, Trust trust);

}  // namespace limber
