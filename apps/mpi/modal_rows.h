// Modes at the nodes of this rank and its ghosts, and how they return to the file's order.
#pragma once

#include "limber/core/sparse.h"
#include "limber/modes/eigen_solver.h"
#include "supports.h"

namespace limber {

/// Three rows a local node, ghosts included.
struct ModalRows {
  ModeMatrix Phi;  // zero at fixed nodes
  ModeMatrix Psi;  // W Φ, Choi & Ko 2005, eq. 8
};

/// Of vectors on this rank's free unknowns (columns): three rows a local node, zero at fixed ones.
[[nodiscard]] ModeMatrix local_rows(const Ranks& ranks, const DistributedMesh& mesh,
                                    const Supports& supports,
                                    const Eigen::Ref<const Eigen::MatrixXd>& vectors);

[[nodiscard]] ModalRows modal_rows(const Ranks& ranks, const DistributedMesh& mesh,
                                   const Supports& supports, const EigenPairs& pairs);

/// The positions of this rank's free nodes.
[[nodiscard]] Positions free_positions(const DistributedMesh& mesh, const Supports& supports);

}  // namespace limber
