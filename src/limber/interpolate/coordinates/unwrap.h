// Rotation vectors that run smoothly over a mesh (Huang et al. 2011, section 4.1).
//
// Symbols: R an element's rotation, w its rotation vector, J(w) = ∫₀¹ exp(−τw) dτ, so that
// exp(−w) exp(w + δ) ≈ exp(J δ).
//
// Deviates: the printed test (dot product of axes below −0.5) harms small opposite rotations and
// fails past 2π. Each element takes the logarithm nearest to a neighbour's instead. And past π the
// logarithm itself goes astray: across the axis J shrinks as sin(|w|/2)/(|w|/2) to nothing at 2π,
// where rotations a little apart have logarithms far apart. A bar twisted by several turns, its
// elements tilted by shear, has no smooth exact w. There w minimises
//   Σ |log(exp(−w) R)|² + κ Σ_neighbours |w_i − w_j|²
// and what exp(−w) R leaves goes into the strain.
#pragma once

#include <vector>

#include "limber/interpolate/coordinates/elements.h"

namespace limber {

/// Up to this angle w is an exact logarithm: J is no smaller than 2/π there, so neighbours' w
/// differ by at most π/2 times what their rotations do. Beyond 1.3 times it only the turn about w
/// itself is exact; between them one passes into the other.
inline constexpr double kExactAngle = 3.14159265358979323846;

/// The logarithm of R = exp(log) that is nearest to `reference`, or past kExactAngle its mixture
/// with `reference` turned about its own axis as far as R turns.
[[nodiscard]] Vec3 lift_near(const Vec3& log, const Vec3& reference);

/// Fills `w` (t×3) from `logs` (t×3, any logarithm of each element's rotation), grown from the
/// seeds, one a part, over the smallest differences first. The seeds' rows of `w` stay.
void unwrap(const Elements& elements, const std::vector<int>& seeds, const Positions& logs,
            Positions& w);

/// Makes `w` smooth where it exceeds kExactAngle; does nothing where it does not. `w` comes from
/// unwrap(), or from the pose before.
void smooth_large_rotations(const Elements& elements, const Positions& logs, Positions& w);

}  // namespace limber
