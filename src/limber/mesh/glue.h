// Loose pieces of a mesh joined where they touch.
#pragma once

#include "limber/mesh/loose_pieces.h"

namespace limber {

/// One piece from several: where two of them touch, nodes that lie close together for the size of
/// their tets become one, where the larger piece has it. Throws Error when a piece touches no other
/// one in at least three nodes that do not lie in a line.
[[nodiscard]] LoosePiece glued(const TetMesh& mesh);

}  // namespace limber
