#include "limber/study/log_linear.h"

#include <algorithm>
#include <cmath>

#include "limber/study/distributions.h"

namespace limber::study {

namespace {

/// The cell of a margin that each cell of the table falls into.
std::vector<std::size_t> cells_of_margin(const CountTable& table, const Margin& margin,
                                         std::size_t& size) {
  std::vector<std::size_t> cells(table.counts.size());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    std::size_t rest = cell, stride = 1, place = 0;
    for (std::size_t f = table.levels.size(); f-- > 0;) {
      const auto count = static_cast<std::size_t>(table.levels[f]);
      if (std::find(margin.begin(), margin.end(), static_cast<int>(f)) != margin.end()) {
        place += rest % count * stride;
        stride *= count;
      }
      rest /= count;
    }
    cells[cell] = place;
    size = stride;
  }
  return cells;
}

double deviance(const std::vector<double>& counts, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) sum += counts[k] * std::log(counts[k] / expected[k]);
  }
  return 2 * sum;
}

}  // namespace

std::vector<double> fitted_counts(const CountTable& table, const std::vector<Margin>& margins) {
  struct Target {
    std::vector<std::size_t> cells;
    std::vector<double> sums;
  };
  std::vector<Target> targets;
  for (const Margin& margin : margins) {
    Target target;
    std::size_t size = 0;
    target.cells = cells_of_margin(table, margin, size);
    target.sums.assign(size, 0);
    for (std::size_t k = 0; k < table.counts.size(); ++k) {
      target.sums[target.cells[k]] += table.counts[k];
    }
    targets.push_back(std::move(target));
  }
  std::vector<double> expected(table.counts.size(), 1);
  // Converges linearly; 1e-10 of a count moves G² by far less than its printed digits.
  constexpr int kMostSweeps = 20000;
  constexpr double kStill = 1e-10;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double change = 0;
    for (const Target& target : targets) {
      std::vector<double> sums(target.sums.size(), 0);
      for (std::size_t k = 0; k < expected.size(); ++k) sums[target.cells[k]] += expected[k];
      for (std::size_t k = 0; k < expected.size(); ++k) {
        const std::size_t cell = target.cells[k];
        const double next = sums[cell] > 0 ? expected[k] * target.sums[cell] / sums[cell] : 0;
        change = std::max(change, std::abs(next - expected[k]));
        expected[k] = next;
      }
    }
    if (change < kStill) break;
  }
  return expected;
}

Association partial_association(const CountTable& table, const Margin& term) {
  std::vector<Margin> all, others;
  const auto factors = static_cast<unsigned>(table.levels.size());
  for (unsigned subset = 0; subset < (1U << factors); ++subset) {
    Margin margin;
    for (unsigned f = 0; f < factors; ++f) {
      if (((subset >> f) & 1U) != 0) margin.push_back(static_cast<int>(f));
    }
    if (margin.size() != term.size()) continue;
    all.push_back(margin);
    if (margin != term) others.push_back(margin);
  }
  // Terms of fewer factors that only the one left out would bring along.
  for (std::size_t out = 0; out < term.size(); ++out) {
    Margin lower = term;
    lower.erase(lower.begin() + static_cast<std::ptrdiff_t>(out));
    others.push_back(lower);
  }
  Association result;
  result.G2 = deviance(table.counts, fitted_counts(table, others)) -
              deviance(table.counts, fitted_counts(table, all));
  result.freedom = 1;
  for (const int factor : term) {
    result.freedom *= table.levels[static_cast<std::size_t>(factor)] - 1;
  }
  result.G2 = std::max(0.0, result.G2);
  result.p = chi_squared_tail(result.G2, result.freedom);
  return result;
}

}  // namespace limber::study
