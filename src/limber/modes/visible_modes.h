// How many modes are worth keeping (Hauser, Shen & O'Brien 2003, section 3.2).
#pragma once

#include <functional>

#include "limber/modes/eigen_solver.h"
#include "limber/modes/modal_analysis.h"

namespace limber {

/// How many modes are computed first; doubled until the rest is invisible.
inline constexpr int kFirstVisibleGuess = 24;

/// VisibleModes with the body's own numbers filled in.
struct VisibilityLimits {
  /// `diagonal` of the box around the body, m; `total_mass` in kg.
  VisibilityLimits(const VisibleModes& wanted, double diagonal, double total_mass);

  double highest_hz;        ///< half the display rate: above it motion aliases
  double max_force;         // N
  double min_displacement;  // m
  int at_most;

  /// Whether the largest force moves any node by what can be seen: ‖w‖² f/λ at the node that moves
  /// most, and slowly enough to be seen.
  [[nodiscard]] bool shows(double eigenvalue, double largest_motion) const;
};

/// ‖w‖² of the node that moves most in a mode (3n).
[[nodiscard]] double largest_motion(const Eigen::Ref<const Vector>& mode);
using LargestMotion = std::function<double(const Eigen::Ref<const Vector>& mode)>;

/// The pairs that show, ascending; at least the lowest, and all of a repeated eigenvalue or none.
/// `largest` looks at whole modes, wherever their rows are.
[[nodiscard]] EigenPairs visible_pairs(EigenSolver& solver, const VisibilityLimits& limits,
                                       int available, const LargestMotion& largest,
                                       const Progress& progress);

}  // namespace limber
