// Tangents of a split surface, for materials that glTF viewers cannot work them out for.
//
// A normal map is enough for a viewer to find tangents itself, frame by frame. Clear coats with a
// normal map of their own and anisotropy without one ask for TANGENT (glTF 2.0, 3.7.2.1).
#pragma once

#include <span>
#include <vector>

#include "limber/mesh/shading.h"

namespace limber::glb {

/// Whether the part's material asks for tangents that the file must give.
[[nodiscard]] bool asks_for_tangents(const SurfaceLook& look);

/// x, y, z, w for each split vertex: the direction in which u grows, at a right angle to the
/// normal, and the sign of the other one (Lengyel 2001). `positions` and `normals` have three
/// numbers each. Where texture coordinates do not tell, any direction at a right angle.
[[nodiscard]] std::vector<float> tangents_of(const SplitSurface& split,
                                             std::span<const float> positions,
                                             std::span<const float> normals);

}  // namespace limber::glb
