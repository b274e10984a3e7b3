#include "limber/mesh/tetrahedralize/cell_search.h"

#include <algorithm>
#include <cmath>

#include "limber/mesh/tetrahedralize/tetrahedralize.h"

namespace limber {

namespace {
constexpr int kTries = 14;
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
  const auto attempt = [&](double cells) {
    return Try{cells, std::max(1.0, static_cast<double>(mesh_with(cells)))};
  };
  // A solid ball gives about 6·cells³ tets: start at a quarter of the cells for a cheap first look.
  const double guess = std::cbrt(target / 6.0);
  Try last = attempt(std::clamp(0.5 * guess, 4.0, 24.0));
  Try best = last;
  double power = kUsualPower;
  double too_few = 0;
  double too_many = TetrahedralizeOptions::kMostCells;
  for (int i = 0; i < kTries && off_by(best.count, target) > std::log1p(kCountTolerance); ++i) {
    (last.count < target ? too_few : too_many) = last.cells;
    double cells = last.cells * std::pow(target / last.count, 1 / power);
    // Stay between what gave too few and too many; in the middle when the estimate leaves it.
    if (cells <= too_few || cells >= too_many) {
      cells = std::sqrt(std::max(too_few, 1.0) * too_many);
    }
    cells = std::clamp(std::min(cells, kLargestStep * last.cells), kFewestCells,
                       static_cast<double>(TetrahedralizeOptions::kMostCells));
    if (std::abs(cells / last.cells - 1) < 1e-3) break;
    const Try now = attempt(cells);
    const double slope = std::log(now.count / last.count) / std::log(now.cells / last.cells);
    if (std::isfinite(slope)) power = std::clamp(slope, kLeastPower, kMostPower);
    last = now;
    if (off_by(last.count, target) < off_by(best.count, target)) best = last;
  }
  if (best.cells != last.cells) attempt(best.cells);
  return best.cells;
}

}  // namespace limber
