// Which tet a surface vertex belongs to, where its place alone does not tell.
//
// Tets overlap in cages, which hold a copy of a cell for each bit of the surface that passes
// through, and where bodies cross. There the surface decides: a side of a triangle runs inside the
// tets of its part, from face to face, so the tet of one end leads to that of the other. And where
// a mesh is several pieces, a part that lies in one of them all but a few vertices stays there with
// those too, though another piece may be nearer.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/mesh/embedding/tet_locator.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct SurfaceTets {
  std::vector<std::int32_t> tets;  ///< around each vertex; -1: outside all that it may belong to
  std::vector<int> pieces;         ///< that each vertex belongs to, -1: any
  std::vector<int> piece_of_tet;
};

SurfaceTets tets_along_surface(const TetMesh& mesh, const TriMesh& surface,
                               const TetLocator& locator);

}  // namespace limber
