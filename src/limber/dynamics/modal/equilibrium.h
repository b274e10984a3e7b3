// Static equilibrium of modes, Λ q = f(q), by Newton's method with load steps.
//
// Plain fixed-point iteration diverges under large loads. Here the load grows from zero in steps
// that turn nodes by about half a radian at most, so that the solution followed is the one the
// unloaded body reaches, not one with nodes wound around.
#pragma once

#include <functional>

#include "limber/dynamics/dynamic_body.h"

namespace limber {

struct StaticLoads {
  /// f (m) at q and, where df is given, its derivative (m×m). Both come zeroed.
  std::function<void(const Vector& q, Vector& f, Eigen::MatrixXd* df)> evaluate;
  /// The largest rotation of a node, in rad, that amplitudes q stand for; zero for linear modes.
  std::function<double(const Vector& q)> largest_rotation;
};

/// Starts from no load and no deformation, and leaves in q the equilibrium or, without
/// convergence, the state under the largest part of the load that was reached.
SettleStatus find_equilibrium(const Eigen::Ref<const Vector>& eigenvalues, const StaticLoads& loads,
                              const SettleOptions& options, Vector& q);

}  // namespace limber
