// The search for a cell size against counts that grow evenly, jump, or cannot be met.
#include "limber/mesh/tetrahedralize/cell_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/mesh/tetrahedralize/tetrahedralize.h"

namespace limber {
namespace {

struct Search {
  double cells = 0;
  double count = 0;  // of the last call, which must be the one returned
  int calls = 0;
};

template <typename Count>
Search search(int target, const Count& count) {
  Search made;
  double last_cells = 0;
  made.cells = search_cells(target, [&](double cells) {
    ++made.calls;
    EXPECT_GE(cells, 1);
    EXPECT_LE(cells, TetrahedralizeOptions::kMostCells);
    last_cells = cells;
    made.count = count(cells);
    return static_cast<int>(made.count);
  });
  EXPECT_EQ(made.cells, last_cells);
  return made;
}

TEST(CellSearch, EvenGrowthIsMetInAFewTries) {
  for (const double power : {2.0, 2.5, 3.0}) {
    for (const int target : {500, 10'000, 1'000'000}) {
      const Search made = search(target, [&](double n) { return 5 * std::pow(n, power); });
      EXPECT_NEAR(made.count / target, 1, kCountTolerance + 0.01) << power;
      EXPECT_LE(made.calls, 6);
    }
  }
}

TEST(CellSearch, ACountThatDropsWhereTheTargetLiesIsMetBesideTheDrop) {
  // A thin body that loses half of itself for some lattices: 8,400 tets at 16 cells, 4,500 at 17,
  // 12,000 at 18. Only below 16.5 and near 18 is the target met.
  const auto count = [](double n) {
    return (n > 16.5 && n < 17.9) || n < 15 ? 0.9 * n * n * n : 2.06 * n * n * n;
  };
  const Search made = search(10'000, count);
  EXPECT_NEAR(made.count / 10'000, 1, kCountPromise);
}

TEST(CellSearch, TargetsOutOfReachEndAtTheNearestAndInTime) {
  const Search few = search(1, [](double n) { return 12 * n * n * n; });
  EXPECT_EQ(few.count, 12);
  EXPECT_LE(few.calls, 3);
  // 900 tets below ten cells, 2,500 above: nothing between.
  const Search step = search(1500, [](double n) { return n < 10 ? 900 : 2500; });
  EXPECT_TRUE(step.count == 900 || step.count == 2500);
  EXPECT_LE(step.calls, 26);
}

}  // namespace
}  // namespace limber
