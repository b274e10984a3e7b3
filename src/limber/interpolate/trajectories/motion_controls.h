// What an artist sets of a motion: frequencies, damping, weights (Huang et al. 2011, section 3).
//
// Nothing set, nothing swings: modes go calmly from key to key, whatever the body's size, stiffness
// and the time between keys (calm_curve.h). `swing` adds vibrations of a chosen size whose
// frequencies follow from the keys; the other controls are the paper's and act on the body's own
// frequencies, in its units.
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
  /// factor is held at a million. Unset: 0.
  std::optional<ModeCurve> frequency;
  /// μ in [-1, 1]: α becomes λ (μ+1)/2, from none to critical, instead of Rayleigh's.
  std::optional<ModeCurve> damping_ratio;
  /// γ_z, γ_ω, γ_α of eq. 15, not negative. Unset: 0.5, 0.25, 0.25 as in the paper.
  std::optional<ModeCurve> velocity_weight;
  std::optional<ModeCurve> frequency_weight;
  std::optional<ModeCurve> damping_weight;
  /// Whether frequency and damping are adjusted by eq. 15 at all.
  bool adjust = true;
  /// β of section 4.3 in [0, 1]: modes swing about (1−β) first + β last pose instead of the rest
  /// shape, which takes the kick out of motions that end far from rest.
  std::optional<double> rest_shift;
  /// How far modes swing beside the calm way, 0 and up: 1 lets a mode stray as far as its keys are
  /// apart. The body's stiffness is then chosen so that its slowest mode makes three quarters of a
  /// swing from key to key. Modes swing about the last of two poses, the mean of more, unless
  /// rest_shift says otherwise.
  std::optional<double> swing;

  /// Whether anything here makes modes swing.
  [[nodiscard]] bool ask_to_swing() const;
};

/// The paper's controls that `controls.swing` stands for. `eigenvalues` (m) ascend, `interval` is
/// the mean time between keys, s.
[[nodiscard]] MotionControls controls_for_swing(MotionControls controls, const Vector& eigenvalues,
                                                double interval);

/// The swing that the controls ask of each mode, before eq. 15. Throws Error for numbers out of
/// range. `eigenvalues` (m) in rad²/s².
[[nodiscard]] std::vector<Swing> wanted_swings(const Vector& eigenvalues,
                                               const MotionControls& controls);

[[nodiscard]] std::vector<AdjustmentWeights> adjustment_weights(int modes,
                                                                const MotionControls& controls);

}  // namespace limber
