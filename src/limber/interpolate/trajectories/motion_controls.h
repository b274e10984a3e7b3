// What an artist sets of a motion: frequencies, damping, weights (Huang et al. 2011, section 3).
#pragma once

#include <optional>
#include <vector>

#include "limber/interpolate/trajectories/adjust_swing.h"
#include "limber/interpolate/trajectories/mode_curve.h"
#include "limber/material/material.h"

namespace limber {

struct MotionControls {
  double stiffness_scale = 1;  ///< of the whole body; frequencies grow with its square root
  double mass_scale = 1;
  Damping damping;  ///< α_M and α_K: α = (α_M + α_K λ²)/2
  /// η in [-1, 1]: λ² becomes λ² exp(η/(1−|η|)); 0 leaves it, -1 stops all swinging. At +1 the
  /// factor is held at a million.
  ModeCurve frequency = 0.0;
  /// μ in [-1, 1]: α becomes λ (μ+1)/2, from none to critical, instead of Rayleigh's.
  std::optional<ModeCurve> damping_ratio;
  /// γ_z, γ_ω, γ_α of eq. 15, not negative.
  ModeCurve velocity_weight = 0.5;
  ModeCurve frequency_weight = 0.25;
  ModeCurve damping_weight = 0.25;
  /// Whether frequency and damping are adjusted by eq. 15 at all.
  bool adjust = true;
  /// β of section 4.3 in [0, 1]: modes swing about (1−β) first + β last pose instead of the rest
  /// shape, which takes the kick out of motions that end far from rest.
  std::optional<double> rest_shift;
};

/// The swing that the controls ask of each mode, before eq. 15. Throws Error for numbers out of
/// range. `eigenvalues` (m) in rad²/s².
[[nodiscard]] std::vector<Swing> wanted_swings(const Vector& eigenvalues,
                                               const MotionControls& controls);

[[nodiscard]] std::vector<AdjustmentWeights> adjustment_weights(int modes,
                                                                const MotionControls& controls);

}  // namespace limber
