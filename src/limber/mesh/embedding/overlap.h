// Which of several overlapping tets a surface vertex belongs to.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/mesh/embedding/tet_locator.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// For each vertex in more than one tet the one that goes on into the tets of its neighbours on the
/// surface; -1 for vertices in one tet or none. Starts from vertices where there is no doubt and
/// walks along the triangles' sides; vertices at one place count as one.
std::vector<std::int32_t> tets_along_surface(const TetMesh& mesh, const TriMesh& surface,
                                             const TetLocator& locator);

}  // namespace limber
