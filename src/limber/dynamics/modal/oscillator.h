// Modal oscillators: one step of q̈ + b q̇ + λ q = f for each mode, b = mass + stiffness·λ
// (Rayleigh), with f constant over the step.
//
// Every integrator here is a linear map of a mode's state and force,
//   q' = qq q + qv q̇ + qf f,   q̇' = vq q + vv q̇ + vf f,
// so one kernel serves them all, and a solver of constraints needs nothing but the coefficients:
// qf is the γ of Choi & Ko 2005, eq. 19, and for `exact` the P = ∫₀ʰ H that belongs into
// Hauser et al. 2003, eq. 15.
//
// Symbols: q (m) modal amplitudes in m·kg^½, h time step in s, λ (m) eigenvalues in rad²/s².
#pragma once

#include "limber/core/types.h"
#include "limber/dynamics/modal/modal_options.h"

namespace limber {

/// The map of one step for each mode, m numbers each.
struct StepCoefficients {
  Vector qq, qv, qf;
  Vector vq, vv, vf;

  [[nodiscard]] int mode_count() const { return static_cast<int>(qq.size()); }
};

/// Throws Error unless h > 0, damping ≥ 0, eigenvalues ≥ 0 and ½ ≤ theta ≤ 1, all finite; only
/// Integrator::theta looks at `theta`.
[[nodiscard]] StepCoefficients step_coefficients(const Eigen::Ref<const Vector>& eigenvalues,
                                                 const Damping& damping, double h,
                                                 Integrator integrator, double theta = kTheta);

/// The same into existing memory: allocates only when the number of modes changes.
void set_step_coefficients(StepCoefficients& coefficients,
                           const Eigen::Ref<const Vector>& eigenvalues, const Damping& damping,
                           double h, Integrator integrator, double theta = kTheta);

/// One step in place. q, v and f hold coefficients.mode_count() numbers each.
void advance(const StepCoefficients& coefficients, double* q, double* v, const double* f);

}  // namespace limber
