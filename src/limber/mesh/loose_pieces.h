// A mesh taken apart where nothing holds it together.
#pragma once

#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct LoosePiece {
  TetMesh mesh;
  /// The node of the piece that each node of the whole mesh is; -1 for those of other pieces.
  std::vector<int> node_of;
};

/// The pieces that share no node, the largest volume first. Nodes without a tet are in none.
[[nodiscard]] std::vector<LoosePiece> loose_pieces(const TetMesh& mesh);

/// The parts of connected_parts(), the largest volume first.
[[nodiscard]] std::vector<int> parts_by_volume(const TetMesh& mesh, const std::vector<int>& part_of,
                                               int parts);
/// One of them.
[[nodiscard]] LoosePiece take_part(const TetMesh& mesh, const std::vector<int>& part_of, int part);

/// The triangles of a surface that go with a piece: those that have most of their corners there.
/// `piece_of_vertex` has the number of each vertex's piece.
[[nodiscard]] TriMesh surface_of_piece(const TriMesh& surface,
                                       const std::vector<int>& piece_of_vertex, int piece);

}  // namespace limber
