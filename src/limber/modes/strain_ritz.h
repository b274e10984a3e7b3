// Eigenvalues freed from the rounding of K, by a Rayleigh–Ritz step with energies of strains.
//
// K is known to ε‖K‖, so that its eigenvalues are off by up to ε times the mesh's highest: 1e-7 of
// the lowest ones where materials are 1e4 apart. Errors of vectors are of that order too, but count
// squared in a Rayleigh quotient whose energy is exact.
#pragma once

#include <functional>

#include "limber/modes/eigen_solver.h"

namespace limber {

/// ΦᵀKΦ (count×count) of the pairs' vectors from number `first` on, by strain_gram().
using StrainGram = std::function<Eigen::MatrixXd(int first, int count)>;

/// Pairs that lie close together are turned among each other, others only have λ = φᵀKφ. Leaves
/// alone, to the bit, what rounding has not reached.
void refine_by_strains(const StrainGram& gram, EigenPairs& pairs);

}  // namespace limber
