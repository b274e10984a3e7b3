// Surfaces bound to tet meshes: each vertex moves with one tet.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// x = Σ weight_k · node_k for every vertex, exact at rest for vertices in and near the mesh.
/// Outside, weights are negative, down to -kMostExtrapolation; a vertex farther out keeps an
/// offset: rest position = Σ weight_k · node_k + offset.
struct Embedding {
  std::vector<std::int32_t> tets;   ///< one a vertex
  std::vector<std::int32_t> nodes;  ///< 4 a vertex
  std::vector<double> weights;      ///< 4 a vertex, summing to one
  Positions offsets;                ///< one row a vertex, or no rows when all are zero; m
  int outside = 0;                  ///< vertices outside the mesh
  int limited = 0;                  ///< vertices with an offset
  double worst_extrapolation = 0;   ///< minus the least weight before limiting, 0 when none is out
  double farthest_outside = 0;      ///< largest distance of a vertex from the mesh, m

  [[nodiscard]] int vertex_count() const { return static_cast<int>(tets.size()); }
};

/// Beyond this a tet's deformation would be carried farther than its own height.
inline constexpr double kMostExtrapolation = 1;

/// Binds each vertex to the tet around it, or to the nearest. Throws Error for a mesh without tets
/// or with bad ones, and for vertices that are not finite.
Embedding embed(const TetMesh& mesh, const Positions& vertices);

/// The same for a surface. Where several tets hold a vertex, as in cages whose copies overlap, the
/// one that its neighbours on the surface are bound to decides; a part that lies in one piece of
/// the mesh is bound to that piece alone.
Embedding embed(const TetMesh& mesh, const TriMesh& surface);

/// Binds each vertex to a given tet.
Embedding embed_in(const TetMesh& mesh, const Positions& vertices,
                   const std::vector<std::int32_t>& tets);

/// Where the vertices are when the nodes are at `positions`, offsets included.
Positions embedded_positions(const Embedding& embedding, const Positions& positions);

}  // namespace limber
