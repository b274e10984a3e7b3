#include "limber/modes/visible_modes.h"

#include <algorithm>
#include <vector>

namespace limber {

namespace {

constexpr double kStandardGravity = 9.81;  // m/s²

/// Eigenvalues closer than this are one repeated eigenvalue: a mesh that is not symmetric splits
/// the two bending modes of a square bar by about this much.
constexpr double kRepeated = 1e-3;

bool same(double lower, double upper) { return upper - lower <= kRepeated * upper; }

/// One past the last of the repeated eigenvalue that begins at `first`.
Eigen::Index end_of_group(const Vector& eigenvalues, Eigen::Index first) {
  Eigen::Index end = first + 1;
  while (end < eigenvalues.size() && same(eigenvalues[end - 1], eigenvalues[end])) ++end;
  return end;
}

/// Whether more modes could still show, or the last repeated eigenvalue may go on.
bool may_continue(const EigenPairs& pairs, const VisibilityLimits& limits) {
  const double last = pairs.eigenvalues[pairs.eigenvalues.size() - 1];
  return frequency_hz(last) <= limits.highest_hz * (1 + kRepeated);
}

EigenPairs columns(const EigenPairs& pairs, const std::vector<Eigen::Index>& chosen) {
  return {pairs.eigenvalues(chosen), pairs.vectors(Eigen::all, chosen)};
}

}  // namespace

VisibilityLimits::VisibilityLimits(const VisibleModes& wanted, double diagonal, double total_mass)
    : highest_hz(wanted.display_rate_hz / 2),
      max_force(wanted.max_force > 0 ? wanted.max_force : total_mass * kStandardGravity),
      min_displacement(wanted.min_displacement > 0 ? wanted.min_displacement : diagonal / 1000),
      at_most(wanted.at_most) {}

bool VisibilityLimits::shows(double eigenvalue, double largest_motion) const {
  return frequency_hz(eigenvalue) <= highest_hz &&
         largest_motion * max_force / eigenvalue >= min_displacement;
}

double largest_motion(const Eigen::Ref<const Vector>& mode) {
  double largest = 0;
  for (Eigen::Index node = 0; 3 * node < mode.size(); ++node) {
    largest = std::max(largest, mode.segment<3>(3 * node).squaredNorm());
  }
  return largest;
}

EigenPairs visible_pairs(EigenSolver& solver, const VisibilityLimits& limits, int available,
                         const LargestMotion& largest, const Progress& progress) {
  const int most = std::min(available, limits.at_most);
  int count = std::min(most, kFirstVisibleGuess);
  EigenPairs pairs = solver.lowest(count, progress);
  while (count < most && may_continue(pairs, limits)) {
    count = std::min(most, 2 * count);
    pairs = solver.lowest(count, progress);
  }

  std::vector<Eigen::Index> chosen;
  for (Eigen::Index first = 0, end = 0; first < pairs.eigenvalues.size(); first = end) {
    end = end_of_group(pairs.eigenvalues, first);
    const bool cut_short = end == pairs.eigenvalues.size() && count < available && first > 0;
    bool any = first == 0;
    for (Eigen::Index k = first; k < end; ++k) {
      any = any || limits.shows(pairs.eigenvalues[k], largest(pairs.vectors.col(k)));
    }
    if (!any || cut_short) continue;
    for (Eigen::Index k = first; k < end; ++k) chosen.push_back(k);
  }
  return columns(pairs, chosen);
}

}  // namespace limber
