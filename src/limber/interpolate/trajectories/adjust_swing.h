// Frequency and damping changed a little so that a motion does not start with a kick (Huang et al.
// 2011, eq. 15 and section 4.2).
//
//   min over ω', α' ≥ 0 of  γ_z (ż(0)/s)² + γ_ω (ω'−ω)² + γ_α (α'−α)²,  s = max(|z₀|, |z_T|)
//
// Deviates: ż(0) is divided by the size s of the motion, since the weights are not scale-free.
// ω' stays between the barriers kπ/T on either side of ω, where ż(0) is infinite: another interval
// is another number of swings, which nobody asked for. Where ω itself stands at a barrier, both
// sides are tried. Overdamped modes take part: ω = −σ there, so that one number orders all modes.
#pragma once

#include "limber/interpolate/trajectories/oscillation.h"

namespace limber {

struct AdjustmentWeights {
  double velocity = 0.5;    ///< γ_z
  double frequency = 0.25;  ///< γ_ω
  double damping = 0.25;    ///< γ_α
};

/// Levenberg-Marquardt from several starting points; the best result. With no motion to speak of,
/// or λ = 0 (a mode told not to swing), the swing comes back as it was.
[[nodiscard]] Swing adjusted_swing(const Swing& wanted, double z0, double zT, double duration,
                                   const AdjustmentWeights& weights);

/// The function that is minimised; infinite outside its domain.
[[nodiscard]] double adjustment_cost(const Swing& swing, const Swing& wanted, double z0, double zT,
                                     double duration, const AdjustmentWeights& weights);

}  // namespace limber
