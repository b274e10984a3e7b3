// Normals of a surface at its vertices.
#pragma once

#include "limber/core/types.h"

namespace limber {

/// Unit normals (n×3): the sum of the neighbouring triangles' normals, each weighted by the
/// triangle's angle at the vertex, so that they do not depend on how faces are cut. Vertices
/// without area get (0, 0, 1).
[[nodiscard]] Positions vertex_normals(const Positions& positions, const Triangles& triangles);

}  // namespace limber
