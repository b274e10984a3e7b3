// Least squares with weights that may not be negative.
#pragma once

#include "limber/core/types.h"

namespace limber {

/// The x ≥ 0 that minimises ‖Ax − b‖², given G = AᵀA (k×k, positive definite) and g = Aᵀb: the
/// active-set method of Lawson & Hanson 1974, ch. 23, started with every x allowed.
[[nodiscard]] Vector nonnegative_least_squares(const Eigen::MatrixXd& G, const Vector& g);

}  // namespace limber
