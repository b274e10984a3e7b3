// Mass matrices of linear tetrahedra. All have the form M = [m_ij I₃], so the n×n scalar matrix
// m_ij is what is assembled; `expand` gives the 3n×3n one.
#pragma once

#include "limber/core/sparse.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

class NodeGraph;
struct ElementGeometry;

enum class MassKind {
  consistent,  ///< exact integral of the shape functions' products: ρV/10 and ρV/20
  lumped,      ///< ρV/4 at each node of a tet, diagonal
  one_point    ///< ρV/16 for every pair: what CalculiX uses for C3D4; for comparing with it
};

/// m (n×n), kg.
[[nodiscard]] SparseMatrix scalar_mass(const TetMesh& mesh, const Materials& materials,
                                       MassKind kind = MassKind::consistent);
[[nodiscard]] SparseMatrix scalar_mass(const TetMesh& mesh, const Materials& materials,
                                       MassKind kind, const ElementGeometry& geometry,
                                       const NodeGraph& graph);

/// M (3n×3n) = [m_ij I₃].
[[nodiscard]] SparseMatrix mass(const TetMesh& mesh, const Materials& materials,
                                MassKind kind = MassKind::consistent);

/// [m_ij I₃] of any scalar nodal matrix.
[[nodiscard]] SparseMatrix expand(const SparseMatrix& scalar);

}  // namespace limber
