// How many modes are worth keeping (Hauser, Shen & O'Brien 2003, section 3.2).
#pragma once

#include "limber/modes/eigen_solver.h"
#include "limber/modes/modal_analysis.h"

namespace limber {

/// How many modes are computed first; doubled until the rest is invisible.
inline constexpr int kFirstVisibleGuess = 24;

/// VisibleModes with the body's own numbers filled in.
struct VisibilityLimits {
  VisibilityLimits(const VisibleModes& wanted, const TetMesh& mesh, double total_mass);

  double highest_hz;        ///< half the display rate: above it motion aliases
  double max_force;         // N
  double min_displacement;  // m
  int at_most;

  /// Whether the largest force moves any node by what can be seen: ‖w‖² f/λ at the node that moves
  /// most, and slowly enough to be seen.
  [[nodiscard]] bool shows(double eigenvalue, const Eigen::Ref<const Vector>& mode) const;
};

/// The pairs that show, ascending; at least the lowest, and all of a repeated eigenvalue or none.
[[nodiscard]] EigenPairs visible_pairs(EigenSolver& solver, const VisibilityLimits& limits,
                                       int available, const Progress& progress);

}  // namespace limber
