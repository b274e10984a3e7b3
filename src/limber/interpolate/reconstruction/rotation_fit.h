// In-between coordinates of neighbours do not fit together, and where rotations differ much the
// Poisson reconstruction pays with stretch. Here elements may turn once more:
//
//   min over x and rotations R_e of Σ weight_e ‖(G x)_e − R_e T_e‖²,  T_e = exp(w_e)(I + S_e)
//
// by turns (Sorkine & Alexa 2007), starting from the reconstruction of the T_e. Strains stay those
// of the coordinates; volume and edges keep closer to them. Where the T_e fit together, as at the
// keys, nothing changes.
#pragma once

#include <span>
#include <vector>

#include "limber/interpolate/reconstruction/reconstruction.h"

namespace limber {

/// `positions` comes in as the reconstruction of `gradients` (t) and goes out fitted in `rounds`
/// rounds, each a polar decomposition an element and a solve. Elements that are `stiff` keep their
/// gradients; empty: none. `turned` is working memory.
void fit_rotations(Reconstruction& reconstruction, std::span<const Mat3> gradients,
                   std::span<const char> stiff, const ReconstructionTargets& targets, int rounds,
                   std::vector<Mat3>& turned, Positions& positions);

}  // namespace limber
