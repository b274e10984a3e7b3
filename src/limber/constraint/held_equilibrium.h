// Static equilibrium of a modal body on a support that handles hold:
//   Λq = f(q) + Gᵀ F,  with what is held at its targets, F the handles' forces.
//
// Newton's method on q and F together, loads and ways to the targets growing from nothing, so that
// the equilibrium followed is the one that the unloaded body reaches. Handles that cannot all be
// met end at the least-squares place, task by task.
#pragma once

#include "limber/constraint/held_point.h"
#include "limber/dynamics/modal/equilibrium.h"
#include "limber/dynamics/modal/held_detail.h"
#include "limber/dynamics/modal/modal_shape.h"

namespace limber {

struct HeldStatics {
  const ModalShape& shape;
  const std::vector<HeldPoint>& hard;
  const std::vector<HeldPoint>& springs;
  bool orientation_first;
  double time;                   ///< of the targets
  HeldDetail* detail = nullptr;  ///< gives way as well, d = C F; left at rest under the forces
};

/// Starts from no load and no deformation, and leaves in q the equilibrium or, without
/// convergence, the best state found under the whole load. `forces` (3 an exercised point): F.
SettleStatus find_held_equilibrium(const Eigen::Ref<const Vector>& eigenvalues,
                                   const StaticLoads& loads, const HeldStatics& held,
                                   const SettleOptions& options, Vector& q, Vector& forces);

}  // namespace limber
