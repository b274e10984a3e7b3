// Wiggly splines that do not swing far beyond their keys: eq. 15 of Huang et al. 2011 carried over
// from two keys to many.
//
//   min over ω', α' of  γ_z max_i (ż(t_i)/s)² + γ_ω (ω'−ω)² + γ_α (α'−α)²,  s = max |z_i|
//
// A mode near resonance with the keys, or damped so strongly that it must start from e^{αT} times
// its next value, passes its keys at great speed; a small change of frequency or damping calms it.
// ω' stays within half the distance π/T of two resonances, T the mean time between keys.
#pragma once

#include <optional>
#include <vector>

#include "limber/interpolate/trajectories/adjust_swing.h"
#include "limber/interpolate/trajectories/wiggly_spline.h"

namespace limber {

struct CalmSpline {
  WigglySpline spline;
  Swing swing;
};

/// The best of a small grid around the wanted swing, itself included. With no motion to speak of,
/// γ_z = 0 or λ = 0 it is the wanted one. Arguments as for WigglySpline.
[[nodiscard]] CalmSpline calm_spline(const Swing& wanted, const std::vector<double>& times,
                                     const std::vector<double>& values,
                                     const std::vector<std::optional<double>>& velocities,
                                     const AdjustmentWeights& weights);

}  // namespace limber
