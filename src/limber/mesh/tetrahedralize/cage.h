// A cage around a body: every background tet that its surface touches or its inside reaches, whole.
// A tet that holds several separate bits of the body is there once for each, and copies in
// neighbouring tets are joined where their bits go on into each other; so near legs do not fuse.
// After Nesme et al. 2009, "Preserving topology and elasticity for embedded deformable models".
#pragma once

#include <cstdint>
#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tetrahedralize/tet_contents.h"

namespace limber {

struct Cage {
  TetMesh mesh;
  std::vector<std::int32_t> tet_of_vertex;  ///< for each vertex of the body, a tet around it
  int copies = 0;                           ///< tets beyond one for each background tet
};

/// With `keep_apart` false every background tet is taken once.
Cage build_cage(const Soup& body, const Octree& octree, const BackgroundGrid& grid,
                const Touching& touching, const std::vector<bool>& inside,
                const ContentsFinder& contents, bool keep_apart);

}  // namespace limber
