// Any surface as the one that people see of a body: bound to its tets, with all that pictures need.
//
// pack_surface() then carries the modes to the surface's own vertices, so that playing reads no
// tet.
#pragma once

#include "limber/mesh/embedding/embed.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// Every vertex hangs on the four nodes of its tet with weights that give its place at rest exactly
/// and so follow any affine motion exactly; far outside the mesh they extrapolate. Vertex order,
/// texture coordinates, colours and materials stay.
[[nodiscard]] BodySurface embedded_surface(const TetMesh& mesh, const TriMesh& surface);
/// The same for vertices bound already.
[[nodiscard]] BodySurface embedded_surface(const TetMesh& mesh, const TriMesh& surface,
                                           const Embedding& embedding);

/// Triangles, texture coordinates, colours and materials, without vertices.
[[nodiscard]] BodySurface faces_and_look(const TriMesh& surface);

/// A body's surface as a mesh again, with its colours, materials and texture coordinates.
[[nodiscard]] TriMesh surface_mesh(const BodySurface& surface);

}  // namespace limber
