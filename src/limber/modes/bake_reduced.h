// Adds to a baked model what playing it as a reduced nonlinear body needs.
#pragma once

#include "limber/modes/reduced_training.h"

namespace limber {

struct ReducedBakeOptions {
  ReducedBasisOptions basis{};
  /// Tets for each field of the space; four miss 3 % of the trained forces, five half as much.
  int tets_per_field = 5;
};

/// `model` was baked from this mesh, materials and fixed nodes. Returns the training errors.
TrainedTets bake_reduced(const TetMesh& mesh, const Materials& materials, ModalModel& model,
                         const ReducedBakeOptions& options = {}, const Progress& progress = {});

}  // namespace limber
