// Rotations as matrices and rotation vectors.
//
// Symbols: w rotation vector (axis times angle, rad), R(w) = exp [w]×, and the mean rotation
// R~(w) = ∫₀¹ R(τw) dτ of Choi & Ko 2005, appendix II.
#pragma once

#include <Eigen/Geometry>

#include "limber/core/types.h"

namespace limber {

/// [w]×, so that skew(w) * v = w.cross(v).
[[nodiscard]] Mat3 skew(const Vec3& w);

/// R(w) by Rodrigues' formula, exact to rounding for every w, zero included.
[[nodiscard]] Mat3 rotation_exp(const Vec3& w);

/// The rotation vector of R with angle in [0, π]; at π either of the two axes.
[[nodiscard]] Vec3 rotation_log(const Mat3& R);

/// R~(w). The identity at w = 0; singular at |w| = 2πk, k ≥ 1 (Choi & Ko 2005, appendix II).
[[nodiscard]] Mat3 mean_rotation(const Vec3& w);

/// d(R~(w) u)/dw, 3×3, for Newton's method on u(q) = R~(Ψq) Φq.
[[nodiscard]] Mat3 mean_rotation_derivative(const Vec3& w, const Vec3& u);

/// d(R(w) u)/dw, 3×3.
[[nodiscard]] Mat3 rotation_derivative(const Vec3& w, const Vec3& u);

/// Inverse of R~(w), with the singular directions at |w| = 2πk cut off rather than blown up.
[[nodiscard]] Mat3 mean_rotation_inverse(const Vec3& w);

/// The shortest turn that takes the unit vector `from` to the unit vector `to`.
[[nodiscard]] Eigen::Quaterniond turn_between(const Vec3& from, const Vec3& to);

/// The rotation nearest to F: F = R S with S symmetric, det R = +1 always. For inverted input the
/// smallest stretch turns negative; flat and zero input give one of the nearest rotations.
[[nodiscard]] Mat3 polar_rotation(const Mat3& F);

}  // namespace limber
