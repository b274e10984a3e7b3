// What a scene does with the loose pieces of a mesh: a body for each, or one glued together.
#pragma once

#include "limber/scene/body_source.h"

namespace limber {

/// The bodies that a mesh makes, before their modes are known, the largest first. With an
/// `own_surface` its triangles are shared out; else each piece shows its boundary.
[[nodiscard]] std::vector<BodySource> in_pieces(BodySource whole, LoosePieces pieces,
                                                bool own_surface);

}  // namespace limber
