// A baked body of which each rank has a slab of every array, in the file's order.
#pragma once

#include "limber/modes/playback/baked_file.h"
#include "surface_slabs.h"

namespace limber {

/// Everything but the surface; `m` is the scalar mass of the local mesh.
[[nodiscard]] ModalModel body_slabs(const Ranks& ranks, const DistributedMesh& mesh,
                                    const Supports& supports, const Vector& eigenvalues,
                                    const ModalRows& rows, const SparseMatrix& m);

}  // namespace limber
