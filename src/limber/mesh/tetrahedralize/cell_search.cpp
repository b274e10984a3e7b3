#include "limber/mesh/tetrahedralize/cell_search.h"

#include <algorithm>
#include <cmath>

#include "limber/mesh/tetrahedralize/tetrahedralize.h"

namespace limber {

namespace {
constexpr int kTries = 14;
/// Cells that differ by less give the same count but for chance.
constexpr double kClosed = 1.01;
/// How the counts beside a jump are looked for: steps of the cells, away from it on both sides.
constexpr int kSideSteps = 5;
constexpr double kSideStep = 1.03;
constexpr double kFewestCells = 1;
/// Tets grow as cells² (thin bodies) to cells³ (compact ones).
constexpr double kUsualPower = 2.6;
constexpr double kLeastPower = 1.5;
constexpr double kMostPower = 3.5;
/// Bodies too thin for a coarse lattice lose most of their tets there, and an estimate from those
/// would overshoot by far: one step never does more than this.
constexpr double kLargestStep = 2;

struct Try {
  double cells;
  double count;
};

double off_by(double count, int target) { return std::abs(std::log(count / target)); }
}  // namespace

double search_cells(int target, const std::function<int(double)>& mesh_with) {
  Try last{};
  Try best{};
  const auto attempt = [&](double cells) {
    cells = std::clamp(cells, kFewestCells, static_cast<double>(TetrahedralizeOptions::kMostCells));
    last = {cells, std::max(1.0, static_cast<double>(mesh_with(cells)))};
    if (best.cells == 0 || off_by(last.count, target) < off_by(best.count, target)) best = last;
  };
  const auto missed = [&](double tolerance) {
    return off_by(best.count, target) > std::log1p(tolerance);
  };
  // A solid ball gives about 6·cells³ tets: start at a quarter of the cells for a cheap first look.
  attempt(std::clamp(0.5 * std::cbrt(target / 6.0), 4.0, 24.0));
  double power = kUsualPower;
  double too_few = 0;
  double too_many = TetrahedralizeOptions::kMostCells;
  const auto closed = [&] { return too_many <= kClosed * std::max(too_few, kFewestCells); };
  for (int i = 0; i < kTries && missed(kCountTolerance) && !closed(); ++i) {
    const Try before = last;
    (last.count < target ? too_few : too_many) = last.cells;
    double cells = last.cells * std::pow(target / last.count, 1 / power);
    // Stay between what gave too few and too many; in the middle when the estimate leaves it.
    if (cells <= too_few || cells >= too_many) {
      cells = std::sqrt(std::max(too_few, kFewestCells) * too_many);
    }
    attempt(std::min(cells, kLargestStep * last.cells));
    const double slope = std::log(last.count / before.count) / std::log(last.cells / before.cells);
    if (std::isfinite(slope)) power = std::clamp(slope, kLeastPower, kMostPower);
  }
  // Counts of thin bodies fall and rise as the lattice slips past them: the search may have closed
  // in on a jump across the target while other cells, not far off, meet it.
  const double jump = std::sqrt(too_few * too_many);
  const bool met = too_few > 0 && too_many < TetrahedralizeOptions::kMostCells;
  for (int k = 1; met && k <= kSideSteps && missed(kCountPromise); ++k) {
    attempt(jump / std::pow(kSideStep, k));
    if (missed(kCountPromise)) attempt(jump * std::pow(kSideStep, k));
  }
  if (best.cells != last.cells) attempt(best.cells);
  return best.cells;
}

}  // namespace limber
