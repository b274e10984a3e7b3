// Residual modes of a body whose modes are known: what the modes leave out under forces on the
// nodes that others may touch. See modes/playback/residual_modes.h for the symbols.
#pragma once

#include "limber/core/progress.h"
#include "limber/fem/mass.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/modes/playback/modal_model.h"
#include "limber/modes/playback/residual_modes.h"

namespace limber {

struct ResidualOptions {
  int most_contact_nodes = 1000;  ///< more surface nodes than these take their detail from others
  /// Pairs of contact nodes that are stored; the nearest are. 148 bytes each in memory and file.
  int most_pairs = 100'000;
  MassKind mass = MassKind::consistent;  ///< as the modes have it
};

/// One factorisation, then two solves for each contact node and axis. `model` has its modes and the
/// surface that it will be seen by; `mesh` and `materials` are what they were made from. Empty
/// where every node that can be touched is fixed, or where the modes leave nothing out. Throws
/// Error when numbers are out of range or the model is of another mesh.
[[nodiscard]] ResidualModes residual_modes(const TetMesh& mesh, const Materials& materials,
                                           const ModalModel& model,
                                           const ResidualOptions& options = {},
                                           const Progress& progress = {});

/// Nodes that others may touch: of the mesh's boundary, or holding the surface, and not fixed.
/// At most `most`, spread evenly, ascending.
[[nodiscard]] std::vector<std::int32_t> choose_contact_nodes(const TetMesh& mesh,
                                                             const ModalModel& model, int most);

}  // namespace limber
