// Static equilibrium of a modal body that handles hold: Λq = f(q) + Xᵀf_c with the handles met.
#pragma once

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/modal/equilibrium.h"
#include "limber/dynamics/modal/step_correction.h"

namespace limber {

/// Relaxation: q ← (1−s) q + s Λ⁻¹ f(q), corrected by the handles as a step of endless length would
/// be, where a modal force moves its mode by 1/λ. Starts from q and ends there at the best state
/// found; `step` gives body, method and time.
SettleStatus find_constrained_equilibrium(const StepContext& step, const StaticLoads& loads,
                                          const SettleOptions& options, StepCorrection& handles,
                                          Vector& q);

}  // namespace limber
