// The surface of an implicit solid as triangles of one size.
//
// Dual contouring without sharp features ("surface nets"; Gibson 1998) on a cubic grid: a vertex
// for each sheet of the surface in a cell, a quad around each grid edge that the surface crosses.
// On cell faces with four crossings the inside corners are kept apart, in both cells alike, so
// sheets never touch (Nielson 2004). The vertices then slide along the surface until they lie
// evenly, and each quad is cut where its triangles are best.
#pragma once

#include "limber/mesh/characters/implicit.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// About `vertices` of them, within a few per cent. Closed solids give a closed manifold surface,
/// oriented outward; the largest connected piece is kept. Positions and triangles only.
[[nodiscard]] TriMesh polygonise(const Implicit& solid, int vertices);

}  // namespace limber
