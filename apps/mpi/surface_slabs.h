// The surface that people see of a distributed body: its boundary, or any surface bound to its
// tets.
#pragma once

#include <filesystem>

#include "limber/modes/playback/baked_file.h"
#include "modal_rows.h"

namespace limber {

/// This rank's slabs of the surface and of its packed modes; blocks of vertices are whole packed
/// blocks. `surface` is empty for the boundary. Throws Error, the same on all ranks.
struct SurfaceSlabs {
  BodySurface surface;
  PackedSurface packed;
  SharedArray<char> source;  ///< of BakedBody: on the first rank
};
[[nodiscard]] SurfaceSlabs surface_slabs(const Ranks& ranks, const DistributedMesh& mesh,
                                         const ModalRows& rows,
                                         const std::filesystem::path& surface, Precision precision);

}  // namespace limber
