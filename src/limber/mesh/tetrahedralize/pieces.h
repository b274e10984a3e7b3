// Keeping a tet mesh fit for use: its pieces hang together by whole faces, and nothing hangs loose.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "limber/mesh/tet_mesh.h"

namespace limber {

/// For each tet the tet across the face opposite each corner, -1 at the boundary. Where more than
/// two tets have one face, they are taken in pairs.
std::vector<std::array<std::int32_t, 4>> face_neighbours(const Tets& tets, int nodes);

/// All tets that have a face in common with each tet: more than four where tets overlap, as at the
/// root of two prongs of a cage.
struct FaceSharing {
  std::vector<std::int32_t> first;  ///< of each tet in `tets`, and the end
  std::vector<std::int32_t> tets;
  [[nodiscard]] std::span<const std::int32_t> of(int t) const {
    return {tets.data() + first[t], tets.data() + first[t + 1]};
  }
};
FaceSharing face_sharing(const Tets& tets, int nodes);

/// The piece of each tet, hanging together by faces, counted from 0, and how many there are.
struct Pieces {
  std::vector<int> of_tet;
  int count = 0;
};
Pieces face_connected_pieces(const Tets& tets, int nodes);

/// Gives tets that meet in a node or an edge only, and not through faces around it, nodes of their
/// own: such a hinge would let parts swing freely. Returns for each node the one it came from.
std::vector<std::int32_t> split_hinges(TetMesh& mesh);

/// Keeps some tets and the nodes they use, in order. Returns the old number of each node kept.
std::vector<std::int32_t> keep_tets(TetMesh& mesh, const std::vector<bool>& keep);

}  // namespace limber
