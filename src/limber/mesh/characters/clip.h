// Surfaces cut off along a level set.
#pragma once

#include <functional>

#include "limber/mesh/characters/implicit.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// The triangles whose vertices are all kept, with the vertices in their order.
[[nodiscard]] TriMesh kept_part(const TriMesh& mesh, const std::function<bool(int)>& keep);

/// What lies where `clip` < 0. Vertices nearer than a third of a cell to the cut move onto it, so
/// that it leaves no splinters; `project` brings points back to the surface.
[[nodiscard]] TriMesh clipped(const TriMesh& mesh, const Distance& clip, double cell,
                              const std::function<Vec3(const Vec3&)>& project);

}  // namespace limber
