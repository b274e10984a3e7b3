// How a surface stood in its file, packed into bytes for a baked body: the file's own vertices and
// whole materials (see FileVertices and GltfMaterial).
#pragma once

#include <span>
#include <vector>

#include "limber/mesh/tri_mesh.h"

namespace limber {

/// Nothing where the file said no more than the mesh does.
[[nodiscard]] std::vector<char> packed_source(const TriMesh& surface);

/// Puts it back. `surface` has its vertices, triangles and looks already. Throws Error when the
/// bytes do not fit them.
void unpack_source(std::span<const char> bytes, TriMesh& surface);

}  // namespace limber
